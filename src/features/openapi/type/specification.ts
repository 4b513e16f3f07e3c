// The GraphQL types of OpenAPI specifications, their versions, and the changes between these.
import { specPermissions } from "#src/features/openapi/access.ts";
import { latestPath, versionAddress } from "#src/features/openapi/reads/addresses.ts";
import { slugLimit, slugPattern } from "#src/features/openapi/model/limits.ts";
import { openApiSpecs, openApiSpecVersions } from "#src/features/openapi/reads/specs.ts";
import {
  addressDescription,
  type ListedFile,
  OpenApiSpecFile,
  OpenApiSpecVersionContent,
} from "#src/features/openapi/type/content.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode, connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { slicePage } from "#src/db/reading/page.ts";
import { methodOf } from "#src/features/openapi/model/lookup.ts";
import { type Rule, rules } from "#src/features/openapi/model/changes/change.ts";
import { listChanges, type ListedChange, type VersionChanges } from "#src/features/openapi/reads/changes.ts";

export const OpenApiSpecVisibility = defineEnum(
  "OpenApiSpecVisibility",
  "The visibility of an OpenAPI specification.",
  {
    private: "Members of its organization, except guests.",
    public: "Everybody who has its public address, and all signed-in users by its id.",
  },
);

export const OpenApiProcessingState = defineEnum(
  "OpenApiProcessingState",
  "The processing state of the source of an OpenAPI specification.",
  {
    pending: "Queued.",
    progress: "Running.",
    complete: "Finished; `lastProcessErrorCode` is set if it failed.",
  },
);

export const OpenApiProcessErrorCode = defineEnum(
  "OpenApiProcessErrorCode",
  "The reason why the source of an OpenAPI specification could not be processed.",
  {
    FETCH_TIMEOUT: "A server did not respond in time.",
    FETCH_ERROR: "A server could not be reached, or did not return a specification.",
    PARSE_ERROR: "The document cannot be read as OpenAPI.",
  },
);

const OpenApiSpecPermissions = defineFlags("OpenApiSpecPermissions", "Permissions of the viewer on a specification.", {
  view: "See it.",
  edit: "Change its source and visibility, process it, and delete it.",
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
  description: "An OpenAPI specification of an organization. All its versions are kept.",
  resource: "openapi-spec",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    slug: t.exposeString("slug", {
      extensions: limited({ minLength: 1, maxLength: slugLimit, pattern: slugPattern }),
      description: "Name, unique in the organization, which never changes.",
    }),
    title: t.exposeString("title", {
      nullable: true,
      description: "The title in its latest version; null before the first version.",
    }),
    visibility: t.expose("visibility", { type: OpenApiSpecVisibility, description: "Visibility." }),
    sourceURL: t.exposeString("sourceUrl", {
      extensions: limited({ format: "uri", maxLength: 2048 }),
      nullable: true,
      description: "Address it is fetched from; null if it was given as a text or file.",
    }),
    processingState: t.expose("state", {
      type: OpenApiProcessingState,
      description: "Processing state of its source.",
    }),
    lastProcessedAt: t.expose("processedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its source was last processed; null before the first time.",
    }),
    lastProcessErrorCode: t.expose("errorCode", {
      type: OpenApiProcessErrorCode,
      nullable: true,
      description: "Error of the last processing; null if it succeeded. The last valid version stays the latest one.",
    }),
    lastProcessError: t.exposeString("error", {
      nullable: true,
      description: "Message of that error, with the file, line, column and JSON pointer if known.",
    }),
    lastProcessedErrorCount: t.value(
      "Int",
      "Number of errors of the last processing, which ends at the first one: 0 or 1.",
      ["errorCode"],
      ({ errorCode }) => Number(errorCode !== null),
    ),
    nextProcessAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When its source is fetched again: every six hours, and less often while that fails. Null for a text or file, unless docgraph failed to process it.",
    }),
    lastVersionId: t.exposeID("lastVersionId", {
      nullable: true,
      description: "Id of its latest version; null before the first version.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When its source, visibility or latest version last changed.",
    }),
    permissions: t.value(OpenApiSpecPermissions, "Permissions of the viewer.", ["organizationId"], (spec, { viewer }) =>
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

type Warning = {
  readonly message: string;
  readonly file: string;
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
};

const OpenApiWarning = builder.objectRef<Warning>("OpenApiWarning").implement({
  description: "A part of an OpenAPI specification that is not valid, and was read nevertheless or left out.",
  fields: (t) => ({
    message: t.exposeString("message", { description: "Text of the warning." }),
    path: t.exposeString("file", { description: "Path of the file; for files of other servers the address." }),
    line: t.valueOrNull("Int", "Line number, from 1; null if it is unknown.", ({ line }) => line),
    column: t.valueOrNull("Int", "Column number, from 1; null if it is unknown.", ({ column }) => column),
    pointer: t.valueOrNull(
      "String",
      "JSON pointer to the part; null for a line of the file.",
      ({ pointer }) => pointer,
    ),
  }),
});

export const OpenApiSpecVersion = defineNode("OpenApiSpecVersion", openApiSpecVersions, {
  description: "A version of an OpenAPI specification, which never changes.",
  resource: "openapi-spec-version",
  fields: (t) => ({
    specId: t.exposeID("specId", { description: "Id of the specification." }),
    number: t.exposeInt("number", { description: "Version number: 1, 2, 3 and so on in each specification." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was processed." }),
    openapi: t.exposeString("openapi", {
      description: "The OpenAPI version of its source, such as `3.0.3`.",
    }),
    title: t.exposeString("title", { description: "Title." }),
    apiVersion: t.exposeString("apiVersion", {
      description: "The version of the API, as the document states it (`info.version`).",
    }),
    pathCount: t.exposeInt("pathCount", { description: "Number of its paths." }),
    operationCount: t.exposeInt("operationCount", { description: "Number of the operations of its paths." }),
    modelCount: t.exposeInt("modelCount", { description: "Number of its models: the schemas among its components." }),
    documentSize: t.exposeInt("documentSize", {
      description: "Size of its document in bytes, as OpenAPI 3.1 or 3.2 in JSON.",
    }),
    warningCount: t.exposeInt("warningCount", {
      description: "Number of all warnings. A version with warnings has all parts that can be read.",
    }),
    warnings: t.field({
      type: [OpenApiWarning],
      description: "Warnings about parts that are not valid OpenAPI, at most 100.",
      select: { warnings: true },
      resolve: ({ warnings }) => warnings as unknown as Warning[], // stored in this form
    }),
    files: t.field({
      type: [OpenApiSpecFile],
      description: "Its original files, at most 100; the root document comes first.",
      select: { files: true, specAddress: true },
      resolve: ({ id, files, specAddress }) =>
        (files as unknown as ListedFile[]).map((file) => ({ of: { id, specAddress }, file })), // stored in this form
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
      description: `Address of its document. ${addressDescription}`,
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

const OpenApiChangeKind = defineEnum("OpenApiChangeKind", "The kind of a change of a part of an interface.", {
  added: "The part was added.",
  removed: "The part was removed.",
  changed: "The part was changed.",
});

/** Whether the changes of a rule break clients, as a sentence. */
function breaking({ client, server }: Rule): string {
  if (client.isBreaking !== server.isBreaking)
    return `Breaking in ${client.isBreaking ? "requests" : "responses"}, not in ${client.isBreaking ? "responses" : "requests"}.`;
  return client.isBreaking ? "Breaking." : "Not breaking.";
}

const OpenApiChangeRule = defineEnum(
  "OpenApiChangeRule",
  "The kinds of changes to an interface.",
  // The names stay; only the values differ.
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, `${rule.says} ${breaking(rule)}`])) as Record<
    keyof typeof rules,
    string
  >,
);

const OpenApiChange = builder.objectRef<ListedChange>("OpenApiChange").implement({
  description: "A change of an interface.",
  fields: (t) => ({
    kind: t.expose("kind", { type: OpenApiChangeKind, description: "Whether the part was added, removed or changed." }),
    rule: t.expose("rule", { type: OpenApiChangeRule, description: "Rule that reports the change." }),
    isBreaking: t.exposeBoolean("isBreaking", { description: "Whether it breaks clients that follow the interface." }),
    reason: t.exposeString("reason", { description: "The reason why it breaks them, or does not." }),
    method: t.valueOrNull("String", "The method of the operation; null outside of operations.", ({ operation }) =>
      operation ? methodOf(operation) : null,
    ),
    path: t.valueOrNull(
      "String",
      "The path of the operation, or the name of a webhook; null outside of operations.",
      ({ operation }) => operation?.path,
    ),
    model: t.exposeString("model", {
      nullable: true,
      description: "The name of the model; null outside of models. A change of a model is listed once, with the model.",
    }),
    place: t.valueOrNull(
      "String",
      "Path within the operation or model, such as `response 200, application/json, items[].name`; null for the whole of it.",
      ({ within }) => within || null,
    ),
    before: t.exposeString("before", { nullable: true, description: "The former value, if a value was changed." }),
    after: t.exposeString("after", { nullable: true, description: "The new value, if a value was changed." }),
  }),
});

const OpenApiChangeConnection = connectionOf(OpenApiChange);

export const OpenApiChanges = builder.objectRef<VersionChanges>("OpenApiChanges").implement({
  description: "The changes from one version of an OpenAPI specification to another.",
  fields: (t) => ({
    before: t.row(openApiSpecVersions, ({ beforeId }) => beforeId, "The former version of the comparison."),
    after: t.row(openApiSpecVersions, ({ afterId }) => afterId, "The latter version of the comparison."),
    changeCount: t.exposeInt("count", { description: "Number of all changes." }),
    breakingCount: t.exposeInt("breakingCount", { description: "Number of changes that break clients." }),
    isComplete: t.exposeBoolean("isComplete", {
      description: "Whether the comparison is complete; false for versions that are too large.",
    }),
    changes: t.field({
      type: OpenApiChangeConnection,
      description:
        "The changes in the order of the latter version, then removed parts; at most 5,000. Texts, such as descriptions, are not compared.",
      args: {
        ...pageArguments,
        isBreaking: t.arg.boolean({
          description: "True lists only changes that break clients, false only the others.",
        }),
      },
      resolve: (changes, { isBreaking, ...args }) =>
        slicePage(listChanges(changes, isBreaking ?? null), ({ id }) => id, args),
    }),
  }),
});
