// Valid requests for the operations of the contract: ids for every path and a body for every operation that takes one,
// over a world of rows.
import { newId } from "#src/base/ids.ts";
import lzString from "lz-string";
import { schemaOf, addSection, addSiteSpace } from "#test/features/sites/factory.ts";
import type { TableColumn } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import type { Database } from "#src/db/connection/database.ts";
import { additionBodies } from "#test/contract/addition-bodies.ts";
import type { ContractOperation } from "#test/contract/contract.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { giveContent, giveFiles, giveSameContent } from "#test/features/content/factory.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addProcessedSpec } from "#test/features/openapi/factory.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { Rows } from "#test/support/rows.ts";
import { createWorld, times, withEverything } from "#test/support/world.ts";
import { examplePage } from "#test/support/example-fetch.ts";

export type ContractFixture = Awaited<ReturnType<typeof makeContractFixtures>>[number];

/** One object of each kind, with siblings for moves, and a second organization with the same admin. */
export async function makeContractFixture(database: Pick<Database, "pool" | "prisma">): Promise<ContractFixture> {
  const [fixture] = await makeContractFixtures(database, 1);
  if (!fixture) throw new Error("No fixture was made.");
  return fixture;
}

/** Makes several fixtures in one statement, with the same pages and files. */
export async function makeContractFixtures(database: Pick<Database, "pool" | "prisma">, count: number) {
  const made = await createWorld(database).insert((rows) => times(count, () => fixtureIn(rows)));
  const content = await giveContents(database, made);
  return made.map((fixture) => ({ ...fixture, ...content }));
}

function fixtureIn(rows: Rows) {
  const made = withEverything(rows, {
    organization: { emailDomains: ["stage.example.com"] },
    site: { adaptiveSchema: schemaOf("customer", "unsigned.trial") },
  });
  const organizationId = made.organization.id;
  addMember(rows, { organizationId: made.elsewhere.id, userId: made.admin.id, role: "admin" });
  return {
    ...made,
    siblingCollection: addCollection(rows, { organizationId }),
    siblingSpace: addSpace(rows, { organizationId, parent: made.collection }),
    deletedSpace: addSpace(rows, { organizationId, deletedAt: new Date() }),
    inviteLink: addInviteLink(rows, { organizationId }),
    samlProvider: addSamlProvider(rows, { organizationId, defaultTeamId: made.team.id }),
    ...addProcessedSpec(rows, { organizationId }),
    ...installedElsewhere(rows, made),
    translation: addTranslation(rows, {
      organizationId,
      sourceSpaceId: made.space.id,
      createdById: made.creator.id,
      instructions: "Be polite.",
      warnings: [],
    }),
    spaceReply: addReply(rows, { commentId: made.spaceComment.id, postedById: made.commenter.id }),
    ...discussion(rows, made),
    ...neighbours(rows, made),
  };
}

/** A page and a file in the spaces, and others in the change requests. */
async function giveContents(
  database: Pick<Database, "pool" | "prisma">,
  made: readonly ReturnType<typeof fixtureIn>[],
) {
  const give = async (revisions: readonly string[], title: string, name: string) => {
    const [first = ""] = revisions;
    const [pageId = ""] = await giveContent(database, first, [title], table);
    const [fileId = ""] = await giveFiles(database, first, [name]);
    await giveSameContent(database, first, revisions);
    return { pageId, fileId };
  };
  const spaces = made.map(({ space }) => space.revisionId);
  const changeRequests = made.map(({ changeRequest }) => changeRequest.revisionId);
  const [kept, proposed] = [await give(spaces, "Why", "why.txt"), await give(changeRequests, "Why not", "why-not.txt")];
  return { ...kept, proposedPageId: proposed.pageId, proposedFileId: proposed.fileId };
}

type Everything = ReturnType<typeof withEverything>;

/** An integration with an event in the other organization of the admin. */
function installedElsewhere(rows: Rows, { organization, elsewhere }: Everything) {
  const integration = addIntegration(rows, { organizationId: organization.id, visibility: "public" });
  const installation = addInstallation(rows, { integrationId: integration.id, organizationId: elsewhere.id });
  return {
    integration,
    installation,
    integrationEvent: addIntegrationEvent(rows, { installationId: installation.id }),
  };
}

/** A second section of the site, and a second site space in the first one. */
function neighbours(rows: Rows, { site, section, space }: Everything) {
  const siteId = site.id;
  return {
    siblingSection: addSection(rows, { siteId }),
    siblingSiteSpace: addSiteSpace(rows, { siteId, sectionId: section.id, spaceId: space.id }),
  };
}

/** Comments by the admin, since only authors change a text. */
function discussion(rows: Rows, { admin, space, changeRequest }: Everything) {
  const here = { spaceId: space.id, postedById: admin.id };
  const ownSpaceComment = addComment(rows, here);
  const ownComment = addComment(rows, { ...here, changeRequestId: changeRequest.id });
  const ownSpaceReply = addReply(rows, { commentId: ownSpaceComment.id, postedById: admin.id });
  return { ownSpaceComment, ownComment, ownSpaceReply };
}

/** The comment and the reply of an operation. */
function commentIds(fixture: ContractFixture, { operationId, path }: ContractOperation) {
  const isUpdate = operationId.startsWith("update");
  const [comment, reply] = path.includes("{changeRequestId}")
    ? [isUpdate ? fixture.ownComment : fixture.comment, fixture.reply]
    : isUpdate
      ? [fixture.ownSpaceComment, fixture.ownSpaceReply]
      : [fixture.spaceComment, fixture.spaceReply];
  return { commentId: comment.id, commentReplyId: reply.id };
}

/** The path parameters of an operation on a fixture. */
export function idsOn(fixture: ContractFixture, operation: ContractOperation): Readonly<Record<string, string>> {
  const { operationId, path } = operation;
  const isProposed = path.includes("{changeRequestId}");
  return {
    organizationId: fixture.organization.id,
    emailDomain: "stage.example.com",
    inviteId: fixture.inviteLink.id,
    collectionId: fixture.collection.id,
    spaceId: operationId === "restoreSpace" ? fixture.deletedSpace.id : fixture.space.id,
    userId: operationId.includes("Team") ? fixture.teamOwner.id : fixture.editor.id,
    teamId: fixture.team.id,
    samlProviderId: fixture.samlProvider.id,
    changeRequestId: fixture.changeRequest.id,
    ...commentIds(fixture, operation),
    pageId: isProposed ? fixture.proposedPageId : fixture.pageId,
    fileId: isProposed ? fixture.proposedFileId : fixture.fileId,
    siteId: fixture.site.id,
    siteSectionId: fixture.section.id,
    siteSectionGroupId: fixture.sectionGroup.id,
    siteSpaceId: fixture.siteSpace.id,
    specSlug: fixture.spec.slug,
    translationId: fixture.translation.id,
    versionId: fixture.version.id,
    integrationName: fixture.integration.name,
    installationId: fixture.installation.id,
    revisionId: fixture.space.revisionId,
    pagePath: "start",
    reviewId: newId("Review"),
    auditEventId: newId("AuditEntry"),
    eventId: fixture.integrationEvent.id,
  };
}

/** The compressed request to render the block of an integration on a space. */
export const compressedRequest = (spaceId: string): string =>
  lzString.compressToEncodedURIComponent(
    JSON.stringify({ componentId: "tide", props: { port: "Brest" }, context: { spaceId } }),
  );

/** The path of an operation with these ids. Throws for a parameter without an id. */
export function pathOf({ operationId, path }: ContractOperation, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${operationId} needs a ${name}: say one in test/contract/requests.ts.`);
    return id;
  });
}

const table = "| Port | Range |\n| --- | --- |\n| Brest | 6 m |\n";

function newComment(page: string) {
  const [block] = fromMarkdown(table).nodes;
  if (!block) throw new Error("There is no table.");
  const [column] = block.data["columns"] as TableColumn[]; // as tables have them
  const tableCell = { record: block.nodes[1]?.key, definition: column?.key };
  return { page, node: block.key, body: { markdown: "Why?" }, tableCell };
}
/** A certificate without a known private key. */
const provider = {
  entityID: "https://idp.example.com/metadata",
  ssoURL: "https://idp.example.com/sso",
  certificate: exampleCertificate,
};

const replyChanges = () => ({ body: { markdown: "Because." }, addedReactions: ["🎉"], removedReactions: ["👍"] });
const commentChanges = () => ({ resolved: true, ...replyChanges() });
const newReply = () => ({ body: { markdown: "Indeed." } });

/** A PNG of one pixel, in base64. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A valid body of every operation that takes one, with every property. */
const bodies: Readonly<Record<string, (fixture: ContractFixture) => object>> = {
  updateOrganization: ({ site }) => ({
    title: "Renamed",
    emailDomains: ["renamed.example.com"],
    hostname: "renamed.example.com",
    defaultRole: "read",
    defaultContent: { type: "site", site: site.id },
    logo: "https://example.com/logo.png",
    sso: false,
    ai: true,
    inviteLinks: true,
  }),
  createCollection: ({ siblingCollection }) => ({ title: "New", parent: siblingCollection.id }),
  updateCollection: () => ({ title: "Renamed", description: "What is in it.", defaultLevel: "read" }),
  moveCollection: ({ siblingCollection }) => ({
    parent: null,
    position: { after: { type: "collection", collection: siblingCollection.id } },
  }),
  transferCollection: ({ elsewhere }) => ({ organization: elsewhere.id }),
  applySpaceTemplate: () => ({ id: "blank", params: { contentRefs: {} } }),
  updateSpace: () => ({ editMode: "locked", title: "Renamed", defaultLevel: "read", emoji: "📗" }),
  moveSpace: ({ collection, siblingSpace }) => ({
    parent: collection.id,
    position: { before: { type: "space", space: siblingSpace.id } },
  }),
  transferSpace: ({ elsewhere }) => ({ organization: elsewhere.id }),
  updateOrganizationMember: () => ({ role: "comment" }),
  createTeam: ({ reader }) => ({ title: "New", members: [reader.id] }),
  updateTeam: () => ({ title: "Renamed" }),
  updateTeamMembers: ({ reader, teamGuest, teamOwner }) => ({
    add: [reader.email],
    remove: [teamGuest.id],
    memberships: { [teamOwner.id]: { role: "member" } },
  }),
  setTeamMember: () => ({ role: "member" }),
  createSamlProvider: ({ team }) => ({ label: "Staff", defaultTeam: team.id, defaultRole: "read", ...provider }),
  updateSamlProvider: ({ team }) => ({ label: "Everybody", defaultTeam: team.id, defaultRole: null, ...provider }),
  createChangeRequest: () => ({ subject: "New", agentTaskId: "task-1" }),
  updateChangeRequest: () => ({ subject: "Renamed", status: "archived" }),
  importSpaceContent: () => examplePage,
  importChangeRequestContent: () => examplePage,
  createSpaceComment: ({ pageId }) => newComment(pageId),
  updateSpaceComment: commentChanges,
  createSpaceCommentReply: newReply,
  updateSpaceCommentReply: replyChanges,
  createChangeRequestComment: ({ proposedPageId }) => newComment(proposedPageId),
  updateChangeRequestComment: commentChanges,
  createChangeRequestCommentReply: newReply,
  createSite: ({ space }) => ({ type: "premium", title: "New site", visibility: "unlisted", spaces: [space.id] }),
  updateSite: ({ section, siteSpace }) => ({
    title: "Renamed",
    visibility: "share-link",
    basename: "renamed",
    adaptiveContent: { enabled: true },
    agentsContext: "included",
    defaultSiteSpace: siteSpace.id,
    defaultSiteSection: section.id,
    proxy: "www.example.com/docs",
  }),
  setSiteAdaptiveSchema: () => ({ jsonSchema: schemaOf("customer", "unsigned.trial", "unsigned.beta") }),
  createTranslation: ({ siblingSpace }) => ({
    language: "pt-br",
    source: { space: siblingSpace.id, language: "en" },
    instructions: fromMarkdown("Write to the reader directly."),
  }),
  updateTranslation: () => ({ instructions: fromMarkdown("Be brief.") }),
  createOpenApiSpec: () => ({ slug: "new", source: { url: "https://docs.example.com/openapi.json" } }),
  createOrUpdateOpenApiSpec: () => ({ source: { url: "https://docs.example.com/openapi.json" } }),
  updateOpenApiSpec: () => ({ visibility: "public" }),
  publishIntegration: ({ organization }) => ({
    runtime: "v2",
    icon: pixel,
    title: "Tides",
    description: "When the water is high.",
    summary: "# Tides",
    previewImages: [pixel],
    visibility: "unlisted",
    target: "space",
    scopes: ["space:content:read"],
    categories: ["visitor-auth"],
    blocks: [
      {
        id: "tide",
        title: "Tide",
        description: "High water",
        icon: "water",
        urlUnfurl: ["https://tides.example.com/"],
        markdown: { codeblock: "tide", body: "port" },
      },
    ],
    contentSources: [
      { id: "months", title: "Months", description: "A page each", icon: "moon", configuration: { componentId: "m" } },
    ],
    externalLinks: [{ url: "https://tides.example.com/", label: "Tides" }],
    configurations: { account: { properties: { port: { type: "string" } }, required: ["port"] } },
    script: "export const handle = () => null;",
    organization: organization.id,
    secrets: { KEY: "value" },
    contentSecurityPolicy: "default-src 'none'",
  }),
  ...additionBodies(replyChanges),
  updateIntegrationInstallation: () => ({ agreedVersion: 1, pinnedVersion: 1, allowsDevMode: true }),
  createIntegrationInstallation: ({ organization }) => ({ organization: organization.id }),
  setIntegrationDevMode: () => ({ tunnelUrl: "https://tunnel.example.com/", all: true }),
  createSiteSection: ({ siblingSpace }) => ({ spaceId: siblingSpace.id, title: "New section", icon: "book" }),
  updateSiteSection: ({ siteSpace }) => ({
    title: "Renamed",
    path: "renamed",
    defaultSiteSpace: siteSpace.id,
    condition: "visitor.claims.customer == true",
    icon: "rocket",
    description: "What is in it.",
  }),
  moveSiteSection: ({ siblingSection }) => ({
    position: { after: { type: "site-section", siteSection: siblingSection.id } },
  }),
  createSiteSectionGroup: ({ section }) => ({ title: "New group", icon: "book", sections: [section.id] }),
  updateSiteSectionGroup: () => ({ title: "Renamed", icon: "rocket" }),
  addSectionToGroup: ({ siblingSection }) => ({ sectionId: siblingSection.id }),
  moveSiteSectionGroup: ({ siblingSection }) => ({
    position: { after: { type: "site-section", id: siblingSection.id } },
  }),
  sortSiteStructure: ({ siblingSiteSpace, siteSpace }) => ({
    structure: [{ siteSpaceId: siblingSiteSpace.id }, { siteSpaceId: siteSpace.id }],
    expectedVersion: 1,
  }),
  createSiteSpace: ({ siblingSpace, siblingSection }) => ({
    spaceId: siblingSpace.id,
    sectionId: siblingSection.id,
  }),
  updateSiteSpace: ({ siblingSpace }) => ({
    path: "renamed",
    condition: "visitor.claims.customer == true",
    spaceId: siblingSpace.id,
  }),
  moveSiteSpace: ({ siblingSiteSpace }) => ({
    position: { before: { type: "site-space", siteSpace: siblingSiteSpace.id } },
  }),
};

/** A valid body of an operation; undefined if it has none. Throws for a missing body. */
export function bodyOn(fixture: ContractFixture, { operationId, body }: ContractOperation): object | undefined {
  if (!body) return undefined;
  const make = bodies[operationId];
  if (!make) throw new Error(`${operationId} takes a body: say a valid one in test/contract/requests.ts.`);
  return make(fixture);
}
