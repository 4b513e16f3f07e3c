// The GraphQL types OpenApiSpec and OpenApiSpecVersion.
import { specPermissions } from "#src/features/openapi/access.ts";
import { latestPath, type SpecAddressParts, versionAddress } from "#src/features/openapi/reads/addresses.ts";
import { slugLimit, slugPattern } from "#src/features/openapi/model/limits.ts";
import { readFilesystem } from "#src/features/openapi/reads/spec-files.ts";
import { openApiSpecs, openApiSpecVersions } from "#src/features/openapi/reads/specs.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const OpenApiSpecVisibility = defineEnum("OpenApiSpecVisibility", "Who may read an OpenAPI specification.", {
  private: "Members of its organization, who are no guests.",
  public: "Everybody who has its public address, and everybody who is signed in by its id.",
});

export const OpenApiProcessingState = defineEnum(
  "OpenApiProcessingState",
  "How far the processing of the source of an OpenAPI specification is.",
  {
    pending: "It will begin.",
    progress: "It goes on.",
    complete: "It is over; `lastProcessErrorCode` says whether anything was wrong.",
  },
);

export const OpenApiProcessErrorCode = defineEnum(
  "OpenApiProcessErrorCode",
  "Why the source of an OpenAPI specification could not be processed.",
  {
    FETCH_TIMEOUT: "A server did not answer in time.",
    FETCH_ERROR: "A server could not be reached, or answers something else.",
    PARSE_ERROR: "It is no valid OpenAPI.",
  },
);

const OpenApiSpecPermissions = defineFlags("OpenApiSpecPermissions", "What the viewer may do with a specification.", {
  view: "See it.",
  edit: "Change its source and its visibility, have it processed, and delete it.",
});

const OpenApiSpecUrls = defineLinks(
  "OpenApiSpecUrls",
  "Links of an OpenAPI specification.",
  { location: "The specification in the REST interface.", app: "The specification in the application." },
  { published: "The document of its latest version, for everybody; null for a private one, and without a version." },
);

const OpenApiSpecVersionUrls = defineLinks(
  "OpenApiSpecVersionUrls",
  "Links of a version of an OpenAPI specification.",
  {
    location: "The version in the REST interface.",
  },
);

const restPath = ({ organizationId, slug }: { organizationId: string; slug: string }): string =>
  `/v1/orgs/${organizationId}/openapi/${slug}`;

export const OpenApiSpec = defineNode("OpenApiSpec", openApiSpecs, {
  description: "An OpenAPI specification of an organization, of which every version is kept.",
  resource: "openapi-spec",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    slug: t.exposeString("slug", {
      extensions: limited({ minLength: 1, maxLength: slugLimit, pattern: slugPattern }),
      description: "Its name in the organization, which stays the same.",
    }),
    title: t.exposeString("title", {
      nullable: true,
      description: "The title in its latest version; null before there is one.",
    }),
    visibility: t.expose("visibility", { type: OpenApiSpecVisibility, description: "Who may read it." }),
    sourceURL: t.exposeString("sourceUrl", {
      extensions: limited({ format: "uri", maxLength: 2048 }),
      nullable: true,
      description: "Where it is fetched from; null where it was given as a text or file.",
    }),
    processingState: t.expose("state", {
      type: OpenApiProcessingState,
      description: "How far the processing of its source is.",
    }),
    lastProcessedAt: t.expose("processedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its source was processed last; null before the first time.",
    }),
    lastProcessErrorCode: t.expose("errorCode", {
      type: OpenApiProcessErrorCode,
      nullable: true,
      description: "What was wrong with its source then; null for nothing. The last good version stays the latest one.",
    }),
    lastProcessError: t.exposeString("error", {
      nullable: true,
      description: "The same for people: with the file, line and column, and a JSON pointer, where there is a place.",
    }),
    nextProcessAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When its source is fetched again, which is every six hours, and less and less often while that fails; null where it was given.",
    }),
    lastVersionId: t.exposeID("lastVersionId", {
      nullable: true,
      description: "Id of its latest version; null before there is one.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When its source, its visibility or its latest version changed last.",
    }),
    permissions: t.value(OpenApiSpecPermissions, "What the viewer may do.", ["organizationId"], (spec, { viewer }) =>
      specPermissions(viewer, spec),
    ),
    urls: t.value(
      OpenApiSpecUrls,
      "Links.",
      ["organizationId", "slug", "visibility", "lastVersionId"],
      ({ id, organizationId, slug, visibility, lastVersionId }, { publicUrl, links }) => ({
        location: publicUrl + restPath({ organizationId, slug }),
        app: links.app(`openapi/${id}`, id),
        published: visibility === "public" && lastVersionId !== null ? publicUrl + latestPath(id) : null,
      }),
    ),
  }),
});

/** Where what is read of a version without a token is; `file` is the path of a file of it. */
const addressDescription =
  "It needs no token: for a public specification it is good for good, for a private one it is signed, and good for one to two days.";

/** A file of a version, as it is listed there. */
interface ListedFile {
  readonly path: string;
  readonly blob: string;
  readonly size: number;
}

type VersionRow = { readonly id: string; readonly specAddress: SpecAddressParts };

const OpenApiSpecFile = builder
  .objectRef<{ readonly of: VersionRow; readonly file: ListedFile }>("OpenApiSpecFile")
  .implement({
    description: "A file of a version of an OpenAPI specification, as it was given or fetched.",
    fields: (t) => ({
      path: t.value("String", "Its path, or its address where that is elsewhere.", ({ file }) => file.path),
      size: t.value("Int", "Bytes.", ({ file }) => file.size),
      url: t.string({
        description: `Where its bytes can be read. ${addressDescription}`,
        resolve: ({ of, file }, _args, context) => versionAddress(context, of, file.path),
      }),
    }),
  });

const OpenApiSpecVersionContent = builder
  .objectRef<VersionRow & { readonly filesystem: string }>("OpenApiSpecVersionContent")
  .implement({
    description: "The content of a version of an OpenAPI specification.",
    fields: (t) => ({
      filesystem: t.field({
        type: "JSON",
        description: "The files of the version by their paths, each parsed, as it was written.",
        resolve: ({ filesystem }, _args, context) => readFilesystem(context, filesystem),
      }),
      url: t.string({
        extensions: limited({ format: "uri" }),
        description: `Where the document can be read: all files as one, in OpenAPI 3.1, as JSON. ${addressDescription}`,
        resolve: (version, _args, context) => versionAddress(context, version),
      }),
    }),
  });

export const OpenApiSpecVersion = defineNode("OpenApiSpecVersion", openApiSpecVersions, {
  description: "One state of an OpenAPI specification, which never changes.",
  resource: "openapi-spec-version",
  fields: (t) => ({
    specId: t.exposeID("specId", { description: "Id of the specification." }),
    number: t.exposeInt("number", { description: "1, 2, 3 and so on within the specification." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was processed." }),
    openapi: t.exposeString("openapi", {
      description: "The version of OpenAPI that it is written in, such as `3.0.3`.",
    }),
    title: t.exposeString("title", { description: "Its title." }),
    apiVersion: t.exposeString("apiVersion", { description: "What it says of its own version." }),
    pathCount: t.exposeInt("pathCount", { description: "Number of its paths." }),
    operationCount: t.exposeInt("operationCount", { description: "Number of the operations of its paths." }),
    modelCount: t.exposeInt("modelCount", {
      description: "Number of its models: the schemas among its components.",
    }),
    documentSize: t.exposeInt("documentSize", { description: "Bytes of its document, in OpenAPI 3.1 as JSON." }),
    files: t.field({
      type: [OpenApiSpecFile],
      description: "Its files as they were given or fetched, first the one with which it begins; at most 100.",
      select: { files: true, specAddress: true },
      resolve: ({ id, files, specAddress }) =>
        (files as unknown as ListedFile[]).map((file) => ({ of: { id, specAddress }, file })), // written in this form
    }),
    content: t.field({
      type: OpenApiSpecVersionContent,
      description: "Its content.",
      select: { filesystem: true, specAddress: true },
      resolve: ({ id, filesystem, specAddress }) => ({ id, filesystem, specAddress }),
    }),
    url: t.field({
      type: "String",
      extensions: limited({ format: "uri" }),
      description: `Where its document can be read. ${addressDescription}`,
      select: { specAddress: true },
      resolve: (version, _args, context) => versionAddress(context, version),
    }),
    urls: t.field({
      type: OpenApiSpecVersionUrls,
      description: "Links.",
      select: { specAddress: true },
      resolve: ({ id, specAddress }, _args, { publicUrl }) => ({
        location: `${publicUrl}${restPath(specAddress)}/versions/${id}`,
      }),
    }),
  }),
});
