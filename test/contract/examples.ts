// The examples of the description of /v1, taken from the demo by HTTP: every operation with a request or response body
// is called once.
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { at as onDay } from "#src/demo/story.ts";
import { seedDemo } from "#src/demo/seed.ts";
import type { Example, Examples } from "#src/rest/description/openapi.ts";
import type { ContractOperation } from "#test/contract/contract.ts";
import { type Call, type RestCalls, siteWrites } from "#test/contract/site-examples.ts";
import { additionIds, additionWrites, installationWrites } from "#test/contract/addition-examples.ts";
import { type Ids, written } from "#test/contract/example-texts.ts";
import { compressedRequest, pathOf } from "#test/contract/requests.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { fromFeatures } from "#test/support/features.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { leaveSpecsAlone, processSpecs } from "#test/features/openapi/processing.ts";
import type { TestApp } from "#test/support/app.ts";
import { examplePage } from "#test/support/example-fetch.ts";

/** The time of the examples: the end of the demo's story. */
export const now = onDay(252, "12:00");

const said = (markdown: string): Pick<Call, "body"> => ({ body: () => ({ body: { markdown } }) });
const asked = ({ pageId = "" }: Ids) => ({ body: { markdown: "Does this hold for **older** devices?" }, page: pageId });
const ownComment = { commentId: "ownCommentId" };
const ownReply = { ...ownComment, commentReplyId: "ownReplyId" };
const proposed = { pageId: "proposedPageId", fileId: "proposedFileId" };
const below = { commentId: "proposedCommentId", commentReplyId: "proposedReplyId" };

/** Reads below a change request, which use its own comments, pages and files. */
const readOfChange: Call = { at: { ...proposed, ...below } };

/** A certificate without a known private key. */
const provider = {
  entityID: "https://idp.example.com/metadata",
  ssoURL: "https://idp.example.com/sso",
  certificate: exampleCertificate,
  defaultRole: "read",
};

/** A new version of the integration. */
const tides = {
  title: "Tide times",
  description: "Shows when the water is high.",
  visibility: "public",
  target: "space",
  categories: ["content"],
  scopes: ["space:content:read"],
  blocks: [{ id: "tide", title: "Tide", urlUnfurl: ["https://tides.example.com/ports/"] }],
  configurations: { space: { properties: { port: { type: "string", title: "Port" } }, required: ["port"] } },
  script: "export const handle = (event, context) => ({ text: context.configuration.port });",
};

/** Calls of operations beyond the contract, exported by tests of features. */
export const callsOfFeatures = (await fromFeatures<{ calls: RestCalls }>("rest.ts")).map(({ calls }) => calls);

/** Write operations in a possible order: later ones change what earlier ones create. */
const writes: Readonly<Record<string, Call>> = {
  updateOrganization: {
    body: ({ siteId }) => ({ title: "Harbour Instruments Ltd", defaultContent: { type: "site", site: siteId } }),
  },
  pingOrganization: {},
  ...siteWrites,
  ...installationWrites,
  updateOpenApiSpec: { body: () => ({ visibility: "private" }) },
  createOpenApiSpec: {
    body: () => ({ slug: "orders", source: { url: "https://docs.example.com/orders/openapi.yaml" } }),
  },
  createOrUpdateOpenApiSpec: { body: () => ({ source: { url: "https://docs.example.com/readings/openapi.yaml" } }) },
  updateTranslation: { body: () => ({ instructions: fromMarkdown("Address the reader as **Sie**, and be brief.\n") }) },
  createTranslation: {
    body: ({ spaceId = "" }) => ({ language: "fr", source: { space: spaceId, language: "en" } }),
  },
  updateIntegrationSiteInstallation: { body: () => ({ externalIds: ["board-8"] }) },
  publishIntegration: {
    body: ({ organizationId }) => ({ organization: organizationId, ...tides }),
  },
  createIntegrationInstallation: { body: ({ opentideId }) => ({ organization: opentideId }) },
  updateIntegrationInstallation: { body: () => ({ agreedVersion: 2 }) },
  updateIntegrationSpaceInstallation: { body: () => ({ externalIds: ["board-7"] }) },
  setIntegrationDevMode: { body: () => ({ tunnelUrl: "https://tunnel.example.com/tides", all: true }) },
  createCollection: { body: ({ collectionId }) => ({ title: "Field notes", parent: collectionId }) },
  updateCollection: { body: () => ({ description: "Step by step, with pictures", defaultLevel: "comment" }) },
  moveCollection: {
    body: ({ companyId }) => ({
      parent: null,
      position: { after: { type: "collection", collection: companyId } },
    }),
  },
  updateOrganizationMember: { body: () => ({ role: "review" }) },
  setOrganizationMemberSso: {},
  createTeam: { body: ({ userId }) => ({ title: "Proofreaders", members: [userId] }) },
  updateTeam: { body: () => ({ title: "Writers and editors" }) },
  updateTeamMembers: {
    body: ({ elifId = "", priyaId }) => ({
      add: ["jonas.okafor@example.com"],
      remove: [priyaId],
      memberships: { [elifId]: { role: "owner" } },
    }),
  },
  createSamlProvider: { body: ({ teamId }) => ({ label: "Everybody", defaultTeam: teamId, ...provider }) },
  updateSamlProvider: { body: () => ({ label: "Staff", defaultRole: "edit" }) },
  setTeamMember: { body: () => ({ role: "member" }) },
  updateSpace: { body: () => ({ title: "First steps", emoji: "🧭", defaultLevel: "comment" }) },
  createSpaceComment: { body: asked, makes: "ownCommentId" },
  createSpaceCommentReply: { ...said("Yes, since version 3."), at: ownComment, makes: "ownReplyId" },
  updateSpaceCommentReply: { body: () => ({ addedReactions: ["👍"] }), at: ownReply },
  updateSpaceComment: { body: () => ({ resolved: true }), at: ownComment },
  createChangeRequest: { body: () => ({ subject: "Explain the new cable" }) },
  updateChangeRequest: { body: () => ({ subject: "Mooring in currents of three knots" }) },
  createChangeRequestComment: { ...said("Please add a picture."), makes: "ownCommentId" },
  createChangeRequestCommentReply: {
    ...said("It is on its way."),
    at: ownComment,
    makes: "ownReplyId",
  },
  updateChangeRequestComment: { body: () => ({ resolved: true }), at: ownComment },
  ...additionWrites,
  importSpaceContent: { body: () => examplePage },
  importChangeRequestContent: { body: () => ({ ...examplePage, url: "https://docs.example.com/anchoring.md" }) },
  pullChangeRequestUpdates: {},
  mergeChangeRequest: {},
  applySpaceTemplate: { body: () => ({ id: "changelog" }) },
  duplicateSpace: {},
  moveSpace: {
    body: ({ referenceId, errorsId }) => ({
      parent: referenceId,
      position: { before: { type: "space", space: errorsId } },
    }),
  },
  restoreSpace: { at: { spaceId: "deletedSpaceId" } },
  transferSpace: { body: ({ opentideId }) => ({ organization: opentideId }) },
  transferCollection: { body: ({ opentideId }) => ({ organization: opentideId }) },
  ...Object.assign({}, ...callsOfFeatures.map((calls) => calls.writes)),
};

/** Whether an operation creates something that is read before the others write. */
const isMadeFirst = (operationId: string) =>
  callsOfFeatures.some(({ writes: own }) => own[operationId]?.makes !== undefined);

/** Fills the database with the demo, and takes an example of each operation. Throws if one is refused. */
export async function takeExamples(app: TestApp, operations: readonly ContractOperation[]): Promise<Examples> {
  const { token } = await seedDemo(app);
  await processSpecs(app, { now: () => now });
  await leaveSpecsAlone(app);
  const client = app.as(token);
  const ids: Record<string, string> = await idsIn(app.database);
  Object.assign(ids, await additionIds(app.database, ids));
  const firstPage = async (path: string) =>
    (await client.rest<{ pages: { id: string; path: string }[] }>("GET", `${path}/content/pages`)).body.pages[0];
  const space = `/v1/spaces/${ids["spaceId"]}`;
  const [page, proposedPage] = [
    await firstPage(space),
    await firstPage(`${space}/change-requests/${ids["changeRequestId"]}`),
  ];
  ids["pageId"] = page?.id ?? "";
  ids["pagePath"] = page?.path ?? "";
  ids["siteUrl"] = `${app.url}/published/${ids["siteId"]}`;
  ids["proposedPageId"] = proposedPage?.id ?? "";
  ids["collectionUrl"] = `${app.url}/app/collections/${ids["collectionId"]}`;
  const taken: [string, Example][] = [];
  for (const [operation, { query = "", body, at = {}, makes }] of inOrder(operations, ids)) {
    const overIds = Object.fromEntries(Object.entries(at).map(([name, known]) => [name, ids[known] ?? ""]));
    const sent = body?.(ids);
    const path = `${pathOf(operation, { ...ids, ...overIds })}${query}`;
    const { status, body: answer } = await client.rest(operation.method, path, { body: sent });
    if (!operation.successes.includes(status))
      throw new Error(`${operation.operationId} answers ${status}: ${JSON.stringify(answer)}`);
    if (makes !== undefined) ids[makes] = (answer as { id: string }).id; // the created object
    taken.push([operation.operationId, { body: sent, answer }]);
  }
  const byName = taken.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return written(Object.fromEntries(byName), app.url);
}

/**
 * Every operation with its call: first those of features that create, then reads, then writes. A DELETE has neither a
 * request nor a response body.
 */
function inOrder(operations: readonly ContractOperation[], ids: Ids): (readonly [ContractOperation, Call])[] {
  const reads = operations
    .filter(({ method }) => method === "GET")
    .map((operation) => {
      const { operationId, path, parameters } = operation;
      const asked = parameters.flatMap(
        ({ name }) => (searches[`${operationId} ${name}`] ?? searches[name])?.(ids) ?? [],
      );
      const given = [...asked, ...(parameters.some(({ name }) => name === "limit") ? ["limit=2"] : [])];
      const query = given.length > 0 ? `?${given.join("&")}` : "";
      return [operation, { ...(path.includes("{changeRequestId}") && readOfChange), query }] as const;
    });
  const order = Object.keys(writes);
  const others = operations
    .filter(({ method }) => method !== "GET" && method !== "DELETE")
    .map((operation) => [operation, writes[operation.operationId] ?? {}] as const)
    .toSorted(([one], [other]) => order.indexOf(one.operationId) - order.indexOf(other.operationId));
  const made = others.filter(([{ operationId }]) => isMadeFirst(operationId));
  return [...made, ...reads, ...others.filter((one) => !made.includes(one))];
}

/** Parameters of reads besides their path, by name; of one operation after its name. */
const searches: Readonly<Record<string, (ids: Ids) => string>> = {
  query: () => "query=buoy",
  url: ({ siteUrl = "" }) => `url=${encodeURIComponent(siteUrl)}`,
  "getContentByUrl url": ({ collectionUrl = "" }) => `url=${encodeURIComponent(collectionUrl)}`,
  request: ({ spaceId = "" }) => `request=${compressedRequest(spaceId)}`,
};

/** The ids of the demo used in paths and bodies. */
async function idsIn(database: Database): Promise<Record<string, string>> {
  const { prisma } = database;
  const only = { select: { id: true } } as const;
  const titled = (title: string) => ({ where: { title }, ...only });
  const [harbour, opentide, devices, reference, company, errors, deleted, team, site] = await Promise.all([
    prisma.organization.findFirstOrThrow(titled("Harbour Instruments")),
    prisma.organization.findFirstOrThrow(titled("Open Tide")),
    prisma.collection.findFirstOrThrow(titled("Device manuals")),
    prisma.collection.findFirstOrThrow(titled("Reference")),
    prisma.collection.findFirstOrThrow(titled("Company")),
    prisma.space.findFirstOrThrow(titled("Error codes")),
    prisma.space.findFirstOrThrow(titled("Old website texts")),
    prisma.team.findFirstOrThrow(titled("Technical writers")),
    prisma.site.findFirstOrThrow({
      where: { organization: { title: "Harbour Instruments" }, sections: { some: {} } },
      ...only,
    }),
  ]);
  await prisma.organizationMember.updateMany({
    where: { organizationId: opentide.id, user: { displayName: "Mara Lindqvist" } },
    data: { role: "admin" }, // so that she may transfer something there
  });
  const samlProvider = { id: newId("SamlProvider"), organizationId: harbour.id, createdAt: onDay(240), label: "Staff" };
  await prisma.samlProvider.create({ data: { ...samlProvider, ...provider, defaultRole: "read", status: "active" } });
  await prisma.space.update({ where: { id: deleted.id }, data: { deletedAt: onDay(251) } });
  return {
    organizationId: harbour.id,
    emailDomain: "harbour.example.com",
    opentideId: opentide.id,
    collectionId: devices.id,
    referenceId: reference.id,
    companyId: company.id,
    errorsId: errors.id,
    deletedSpaceId: deleted.id,
    teamId: team.id,
    samlProviderId: samlProvider.id,
    siteId: site.id,
    ...(await idsOfSpec(database)),
    integrationName: "tide-times",
    installationId: (await prisma.integrationInstallation.findFirstOrThrow()).id,
    eventId: (await prisma.integrationEvent.findFirstOrThrow()).id,
    translationId: (await prisma.translation.findFirstOrThrow()).id,
    ...(await idsInSite(database, site.id)),
    ...(await idsInPlainSite(database, opentide.id)),
    ...(await idsOfPeople(database)),
    ...(await idsInSpace(database)),
  };
}

/** The specification, whose version exists by now. */
async function idsOfSpec({ prisma }: Database): Promise<Record<string, string>> {
  const { slug, lastVersionId } = await prisma.openApiSpec.findFirstOrThrow();
  return { specSlug: slug, versionId: lastVersionId ?? "" };
}

/** The members of the team. */
async function idsOfPeople({ prisma }: Database): Promise<Record<string, string>> {
  const idOf = async (displayName: string) => (await prisma.user.findFirstOrThrow({ where: { displayName } })).id;
  return {
    userId: await idOf("Tomas Halvorsen"),
    elifId: await idOf("Elif Marsh"),
    priyaId: await idOf("Priya Venter"),
  };
}

/** A space with comments and change requests and their content. Files are added, since the demo has none. */
async function idsInSpace(database: Database): Promise<Record<string, string>> {
  const { prisma } = database;
  const answered = { where: { replies: { some: {} } }, include: { replies: true }, orderBy: { id: "asc" } } as const;
  const space = await prisma.space.findFirstOrThrow({
    where: { title: "Wave buoy manual" },
    include: {
      comments: { ...answered, where: { ...answered.where, changeRequestId: null } },
      changeRequests: { include: { comments: answered }, orderBy: { number: "asc" } },
    },
  });
  const [change] = space.changeRequests;
  const [comment, proposedComment] = [space.comments[0], change?.comments[0]];
  if (!change || !comment || !proposedComment) throw new Error("The demo lacks a discussion.");
  const [fileId = ""] = await giveFiles(database, space.revisionId, ["tide-table.csv"]);
  const [proposedFileId = ""] = await giveFiles(database, change.revisionId, ["wiring.txt"]);
  return {
    spaceId: space.id,
    changeRequestId: change.id,
    commentId: comment.id,
    commentReplyId: comment.replies[0]?.id ?? "",
    proposedCommentId: proposedComment.id,
    proposedReplyId: proposedComment.replies[0]?.id ?? "",
    fileId,
    proposedFileId,
  };
}

/** The parts of a site: of two sections, and of a group. */
async function idsInSite({ prisma }: Database, siteId: string): Promise<Record<string, string>> {
  const [guides, devices] = await prisma.siteSection.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const siteSpaces = await prisma.siteSpace.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const groups = await prisma.siteSectionGroup.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const ungrouped = await prisma.siteSection.findFirst({ where: { siteId, sectionGroupId: null } });
  if (!guides || !devices) throw new Error("The demo lacks a section.");
  return {
    siteSectionId: guides.id,
    otherSectionId: devices.id,
    ungroupedId: ungrouped?.id ?? "",
    siteSpaceId: siteSpaces[0]?.id ?? "",
    otherSiteSpaceId: siteSpaces[1]?.id ?? "",
    siteSectionGroupId: groups[0]?.id ?? "",
  };
}

/** A site without sections, and its site spaces. */
async function idsInPlainSite({ prisma }: Database, organizationId: string): Promise<Record<string, string>> {
  const site = await prisma.site.findFirstOrThrow({ where: { organizationId } });
  const siteSpaces = await prisma.siteSpace.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  const [plainFirstId = "", plainSecondId = "", plainThirdId = ""] = siteSpaces.map(({ id }) => id);
  return { plainSiteId: site.id, plainFirstId, plainSecondId, plainThirdId };
}
