// Every routed read operation over the demo data, by HTTP: its responses are valid against the contract and against our
// own description.
//
// The crawl starts without ids and passes ids of responses to operations that need them. At the small size a few
// responses of each operation are enough.
import publicDescription from "@gitbook/api/spec/openapi.json" with { type: "json" };
import { beforeAll, describe, expect, it, test } from "vitest";
import { seedDemo } from "#src/demo/seed.ts";
import { processSpecs } from "#test/features/openapi/processing.ts";
import { addDemoContent } from "#test/contract/demo-content.ts";
import { contract, type ContractOperation, OpenApi } from "#test/contract/contract.ts";
import { callsOfFeatures } from "#test/contract/examples.ts";
import { compressedRequest, pathOf } from "#test/contract/requests.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { recordWrites } from "#test/support/write-recorder.ts";
import { sized, someOf } from "#test/support/runs.ts";

// On its own database: writes to all tables are recorded.
const { app } = await useApp({ own: true });
let client: Client;
let ours: OpenApi;
let crawled: Visit[];
let written: () => Promise<string[]>;

beforeAll(async () => {
  client = app.as((await seedDemo(app)).token);
  await processSpecs(app);
  await addDemoContent(app.database, client);
  const space = await app.database.prisma.space.findFirstOrThrow({ where: { title: "Wave buoy manual" } });
  queries["renderIntegration"] = [`?request=${compressedRequest(space.id)}`];
  const site = await app.database.prisma.site.findFirstOrThrow({ where: { sections: { some: {} } } });
  const addresses = [`published/${site.id}`, `app/spaces/${space.id}`].map(
    (path) => `?url=${encodeURIComponent(`${app.url}/${path}`)}`,
  );
  queries["getContentByUrl"] = addresses;
  queries["getPublishedContentByUrl"] = addresses.slice(0, 1);
  ours = new OpenApi((await client.rest("GET", "/v1/openapi.json")).body);
  for (const [operationId, { makes, body }] of callsOfFeatures.flatMap(({ writes }) => Object.entries(writes))) {
    const operation = ours.operations().find((one) => one.operationId === operationId);
    if (!operation || makes === undefined) continue;
    await client.rest(operation.method, pathOf(operation, { spaceId: space.id }), { body: body?.({}) });
  }
  written = await recordWrites(app.database);
  crawled = await crawl();
}, 300_000); // a demo and all its answers, on a machine that may be busy

interface Visit {
  readonly operation: ContractOperation;
  readonly path: string;
  readonly body: unknown;
}

type Ids = Readonly<Record<string, string>>;

/** The path parameter filled by the ids of a list's items. */
const parameterOfList: Readonly<Record<string, string>> = {
  listOrganizations: "organizationId",
  listOrganizationMembers: "userId",
  listTeams: "teamId",
  listOrganizationCollections: "collectionId",
  listCollectionSpaces: "spaceId",
  listSites: "siteId",
  listSamlProviders: "samlProviderId",
  listTranslations: "translationId",
  listOpenApiSpecs: "specSlug",
  listOpenApiSpecVersions: "versionId",
  listIntegrations: "integrationName",
  listIntegrationEvents: "eventId",
  listIntegrationInstallations: "installationId",
  listChangeRequests: "changeRequestId",
  listSpaceComments: "commentId",
  listChangeRequestComments: "commentId",
  listChangeRequestCommentReplies: "commentReplyId",
  listSpacePages: "pageId",
  listChangeRequestPages: "pageId",
  listSpaceFiles: "fileId",
  listChangeRequestFiles: "fileId",
  listOrganizationAuditEvents: "auditEventId",
  listOrganizationInviteLinks: "inviteId",
  getReviewsByChangeRequestId: "reviewId",
  listIntegrationInstallationSpaces: "spaceId",
  listIntegrationInstallationSites: "siteId",
  listPagesInRevisionById: "pageId",
  listFilesInRevisionById: "fileId",
  ...Object.assign({}, ...callsOfFeatures.map(({ lists }) => lists)),
};

/** Other operations whose responses contain ids. */
const otherLeads: readonly string[] = ["listIntegrationSpaces", "listIntegrationSites", "getSpaceContent"];

/** Parameters whose ids are valid only below their list: of a space or of a change request. */
const boundParameters: readonly string[] = ["commentId", "pageId", "pagePath", "fileId"];

/** Operations that return 404 if nothing was set. */
const mayBeUnset: readonly string[] = [
  "getSiteAdaptiveSchema",
  "getLatestOpenApiSpecVersion",
  "getLatestOpenApiSpecVersionContent",
];

/** Operations for admins only. */
const adminsOnly: readonly string[] = [
  "listSamlProviders",
  "listOrganizationAuditEvents",
  "listOrganizationInviteLinks",
  "listUserPermissionsInSpace",
  "listTeamPermissionsInSpace",
  "listUserPermissionsInCollection",
  "listTeamPermissionsInCollection",
];

/** Expensive operations, called only for the first ids. */
const onlyOnce: readonly string[] = [
  "getChangeRequestPdf",
  "getSpacePDF",
  "getPageByPath",
  "getPageInChangeRequestByPath",
  "getRevisionById",
  "getRevisionSemanticChanges",
  "getUserById",
  "getPageInRevisionById",
  "getPageInRevisionByPath",
  "getPageDocumentInRevisionById",
  "getFileInRevisionById",
];

/** Lists that omit something by default. */
const queries: Record<string, readonly string[]> = {
  listChangeRequests: ["?status=draft", "?status=open", "?status=archived", "?status=merged"],
  getSpacePage: ["?evaluated=true", "?format=markdown&evaluated=true", "?computed=false"],
  searchOrganizationContent: ["?query=the"],
  searchSpaceContent: ["?query=the"],
};

/** The non-empty responses of an operation that are enough. */
const enough = sized(8, Infinity);

/** The number of non-empty responses of an operation that are read. */
function mostOf(operationId: string): number {
  if (onlyOnce.includes(operationId)) return 1;
  return operationId in parameterOfList || otherLeads.includes(operationId) ? Infinity : enough;
}

/** Calls every operation with every set of ids that leads to it, until its responses are enough. */
async function crawl(): Promise<Visit[]> {
  const visits = new Map<string, Visit>();
  const answered = new Map<string, number>();
  const found: Ids[] = [{}];
  for (let ids = found.pop(); ids; ids = found.pop()) {
    for (const operation of ours.operations().filter(({ method }) => method === "GET")) {
      for (const path of pathsOf(operation, ids)) {
        const { operationId } = operation;
        const count = answered.get(operationId) ?? 0;
        if (visits.has(path) || count >= mostOf(operationId)) continue;
        const { status, body } = await client.rest("GET", path);
        if (status === 404 && mayBeUnset.includes(operation.operationId)) continue;
        if (status === 403 && adminsOnly.includes(operation.operationId)) continue;
        if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
        visits.set(path, { operation, path, body });
        if (!isEmptyList(body)) answered.set(operationId, count + 1);
        found.push(...(await idsIn(operation, body, ids)));
      }
    }
  }
  return [...visits.values()];
}

/** The paths of an operation for these ids; empty if they do not match exactly. */
function pathsOf({ operationId, path, parameters }: ContractOperation, ids: Ids): string[] {
  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  if (names.some((name) => ids[name] === undefined)) return [];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  const isBound = names.some((name) => boundParameters.includes(name));
  if (isBound && names.includes("changeRequestId") !== (ids["changeRequestId"] !== undefined)) return [];
  const isWhole = !parameters.some((parameter) => parameter.in === "query" && parameter.required);
  return [...(queries[operationId] ?? []), ...(isWhole ? [""] : [])].map((query) => `${filled}${query}`);
}

async function idsIn({ operationId }: ContractOperation, body: unknown, ids: Ids): Promise<Ids[]> {
  if (operationId === "listIntegrationSpaces" || operationId === "listIntegrationSites")
    return itemsOf(body).map(({ installation = "", space, site }) => ({
      ...ids,
      installationId: installation,
      ...(typeof space === "string" && { spaceId: space }),
      ...(typeof site === "string" && { siteId: site }),
    }));
  if (operationId === "getSpaceContent") return [{ ...ids, revisionId: (body as Item).id }];
  const parameter = parameterOfList[operationId];
  if (!parameter) return [];
  const found = itemsOf(body).map(({ id, slug, name, path, space, site, emailDomains: [emailDomain] = [] }) => ({
    ...ids,
    ...(emailDomain !== undefined && { emailDomain }),
    ...(path !== undefined && parameter === "pageId" && { pagePath: path }),
    [parameter]: parameter === "specSlug" ? slug : parameter === "integrationName" ? name : (id ?? space ?? site),
  }));
  // Pages of a change request and of its space behave the same, so some of each are enough at the small size.
  if (operationId === "listChangeRequestPages") return someOf(found);
  return operationId === "listSpaceComments" ? (await Promise.all(found.map(withReplies))).flat() : found;
}

interface Item {
  readonly id: string;
  /** The path of a page. */
  readonly path?: string;
  readonly emailDomains?: readonly string[];
  readonly slug?: string;
  readonly name?: string;
  /** Of an installation on a space or site. */
  readonly installation?: string;
  /** The place of an installation, which has no id of its own. */
  readonly space?: string;
  readonly site?: string;
  /** Pages are nested. */
  readonly pages?: readonly Item[];
}

function itemsOf(body: unknown): readonly Item[] {
  const { items, pages = [] } = body as { items?: readonly Item[]; pages?: readonly Item[] };
  return items ?? pages.flatMap((page) => [page, ...itemsOf(page)]);
}

/** The contract has no list of replies to the comments of a space. */
async function withReplies(ids: Ids): Promise<Ids[]> {
  const document = "query ($id: ID!) { comment(id: $id) { replies { nodes { id } } } }";
  const { comment } = await client.query<{ comment: { replies: { nodes: { id: string }[] } } }>(document, {
    id: ids["commentId"],
  });
  return [ids, ...comment.replies.nodes.map(({ id }) => ({ ...ids, commentReplyId: id }))];
}

function problemsBy(openApi: OpenApi, visits: readonly Visit[] = crawled): string[] {
  return visits.flatMap(({ operation, path, body }) => {
    const validate = openApi.validatorOf(operation, 200);
    return validate(body) ? [] : OpenApi.problems(validate).map((problem) => `${path}: ${problem}`);
  });
}

describe("responses over the demo data", () => {
  it("exist for every routed read operation, with at least one item in every list", () => {
    const answered = new Set(
      crawled.filter(({ body }) => !isEmptyList(body)).map(({ operation }) => operation.operationId),
    );
    expect(
      ours
        .operations()
        .filter(({ method }) => method === "GET")
        .map(({ operationId }) => operationId)
        .filter((name) => !answered.has(name)),
    ).toEqual([]);
  });

  it("are valid against our own OpenAPI description", () => {
    expect(problemsBy(ours)).toEqual([]);
  });

  it.skipIf(!contract)("are valid against the contract", () => {
    const documented = new Set(contract?.operations().map(({ operationId }) => operationId));
    const isDocumented = ({ operation }: Visit) => documented.has(operation.operationId);
    expect(contract && problemsBy(contract, crawled.filter(isDocumented))).toEqual([]);
  });

  it("lists the operations whose responses are all valid by the public client's schemas; `npm test -- -u` writes it", async () => {
    const theirs = new OpenApi(publicDescription);
    const placeOf = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");
    const known = new Map(
      theirs.operations().map((one) => [`${one.method} /v1${placeOf(one.path)}` as string, one] as const),
    );
    const results = new Map<string, boolean>();
    for (const { operation, body } of crawled) {
      const own = known.get(`${operation.method} ${placeOf(operation.path)}`);
      if (!own || results.get(own.operationId) === false) continue; // one invalid response is enough
      results.set(own.operationId, theirs.validatorOf(own, 200)(body));
    }
    const valid = [...results].flatMap(([name, isValid]) => (isValid ? [name] : [])).toSorted();
    const text = `${valid.join("\n")}\n\n${valid.length} of ${results.size} read operations that both have.\n`;
    await expect(text).toMatchFileSnapshot("../public-client/valid-responses.txt");
  });
});

describe.skipIf(!contract)("error responses are valid against the contract", () => {
  it.for([
    [400, "/v1/orgs?limit=0", true],
    [400, "/v1/orgs?page=x", true],
    [401, "/v1/orgs", false],
    [404, "/v1/orgs/none", true],
  ] as const)("status %i of %s", async ([status, path, hasToken]) => {
    const answer = await (hasToken ? client : app.as(null)).rest("GET", path);
    expect(answer.status).toBe(status);
    const named = path.startsWith("/v1/orgs/") ? "/v1/orgs/{organizationId}" : "/v1/orgs";
    const validate = contract?.validatorOf({ method: "GET", path: named }, status);
    validate?.(answer.body);
    expect(validate && OpenApi.problems(validate)).toEqual([]);
  });
});

function isEmptyList(body: unknown): boolean {
  return (
    typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items) && body.items.length === 0
  );
}

test("GET requests write nothing", async () => {
  expect(await written()).toEqual([]);
});
