// The GraphQL types of OpenAPI specifications, their versions, and the changes between these.
import { specPermissions } from "#src/features/openapi/access.ts";
import { latestPath, type SpecAddressParts, versionAddress } from "#src/features/openapi/reads/addresses.ts";
import { slugLimit, slugPattern } from "#src/features/openapi/model/limits.ts";
import { readFilesystem, openApiSpecs, openApiSpecVersions } from "#src/features/openapi/reads/specs.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode, connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { slicePage } from "#src/db/reading/page.ts";
import { type Rule, rules } from "#src/features/openapi/model/changes/change.ts";
import { listChanges, type ListedChange, type VersionChanges } from "#src/features/openapi/reads/changes.ts";

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
  { location: "The version in the REST interface." },
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

type ListedFile = { readonly path: string; readonly blob: string; readonly size: number };
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
    modelCount: t.exposeInt("modelCount", { description: "Number of its models: the schemas among its components." }),
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

const OpenApiChangeKind = defineEnum("OpenApiChangeKind", "What became of a part of an interface.", {
  added: "It is new.",
  removed: "It is gone.",
  changed: "It is another one.",
});

/** Whether what a rule tells breaks clients, as a sentence. */
function breaking({ client, server }: Rule): string {
  if (client.isBreaking !== server.isBreaking)
    return `Breaking in what ${client.isBreaking ? "clients send" : "clients get"}, and not in what they ${client.isBreaking ? "get" : "send"}.`;
  return client.isBreaking ? "Breaking." : "Not breaking.";
}

const OpenApiChangeRule = defineEnum(
  "OpenApiChangeRule",
  "The kinds of changes to an interface.",
  // The names stay: only the values are others.
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, `${rule.says} ${breaking(rule)}`])) as Record<
    keyof typeof rules,
    string
  >,
);

const OpenApiChange = builder.objectRef<ListedChange>("OpenApiChange").implement({
  description: "A change of an interface.",
  fields: (t) => ({
    kind: t.expose("kind", { type: OpenApiChangeKind, description: "What became of the part." }),
    rule: t.expose("rule", { type: OpenApiChangeRule, description: "What was changed." }),
    isBreaking: t.exposeBoolean("isBreaking", { description: "Whether it breaks clients that kept to the interface." }),
    reason: t.exposeString("reason", { description: "Why it breaks them, or does not." }),
    method: t.valueOrNull("String", "The method of the operation; null for what is of none.", ({ operation }) =>
      operation?.method.toUpperCase(),
    ),
    path: t.valueOrNull(
      "String",
      "The path of the operation, or the name of a webhook; null for what is of none.",
      ({ operation }) => operation?.path,
    ),
    model: t.exposeString("model", {
      nullable: true,
      description: "The name of the model; null outside of models. A change of a model is listed once, with the model.",
    }),
    place: t.valueOrNull(
      "String",
      "Where it is within the operation or model, such as `response 200, application/json, items[].name`; null for all of that.",
      ({ within }) => within || null,
    ),
    before: t.exposeString("before", { nullable: true, description: "The value before, where it is one of a value." }),
    after: t.exposeString("after", { nullable: true, description: "The value after, where it is one of a value." }),
  }),
});

const OpenApiChangeConnection = connectionOf(OpenApiChange);

export const OpenApiChanges = builder.objectRef<VersionChanges>("OpenApiChanges").implement({
  description: "What has changed from one version of an OpenAPI specification to another.",
  fields: (t) => ({
    before: t.row(openApiSpecVersions, ({ beforeId }) => beforeId, "The version that is compared with."),
    after: t.row(openApiSpecVersions, ({ afterId }) => afterId, "The version that is compared."),
    changeCount: t.exposeInt("count", { description: "Number of all changes." }),
    breakingCount: t.exposeInt("breakingCount", { description: "Number of those that break clients." }),
    isComplete: t.exposeBoolean("isComplete", {
      description: "Whether all was compared; false for versions that are too large for that.",
    }),
    changes: t.field({
      type: OpenApiChangeConnection,
      description:
        "The changes in the order of the later version, what is gone after what is there; the first 5,000. Texts, such as descriptions, are not compared.",
      args: {
        ...pageArguments,
        isBreaking: t.arg.boolean({ description: "Only those that break clients, or do not." }),
      },
      resolve: (changes, { isBreaking, ...args }) =>
        slicePage(listChanges(changes, isBreaking ?? null), ({ id }) => id, args),
    }),
  }),
});
