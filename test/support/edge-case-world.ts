// A world with objects of every kind, whose texts are edge cases for JSON writers.
import { newId } from "#src/base/ids.ts";
import type { Rows } from "#src/demo/rows.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import {
  guideWith,
  move,
  newPageAt,
  remove,
  setScene,
  type Scene,
  update,
} from "#test/features/change-requests/scene.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { addInvitations } from "#test/features/invitations/factory.ts";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addOrganization, verifyDomain } from "#test/features/organizations/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addDemoContent } from "#test/contract/demo-content.ts";
import type { TestApp } from "#test/support/app.ts";
import { writeEveryEvent } from "#test/support/edge-case-events.ts";
import { addIntegrations } from "#test/support/edge-case-integrations.ts";
import { addSignIns } from "#test/support/edge-case-sign-ins.ts";
import { edgeCaseTexts, writeEdgeCaseTexts } from "#test/support/edge-case-texts.ts";
import { addTranslations } from "#test/support/edge-case-translations.ts";
import { type Given, times, type World } from "#test/support/world.ts";
import { addImports } from "#test/features/imports/factory.ts";
import { from } from "#test/features/openapi/specs.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { addOpenApiSpec, addOpenApiSpecVersion, keepDocument, smallDocument } from "#test/features/openapi/factory.ts";

const instant = new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 70));

const organization = {
  emailDomains: ["example.com", "stage.example.com"],
  useCase: "notes",
  communityType: "education",
  defaultRole: "comment",
} satisfies Given["organization"];

const site = {
  type: "ultimate",
  icon: { icon: { light: `https://example.com/${edgeCaseTexts[0]}`, dark: edgeCaseTexts[3] ?? "" } },
  hostname: "docs.example.com",
  hostnameCheckedAt: instant,
  hostnameMissingSince: instant,
  basename: "docs",
  proxyOrigin: "proxy.example.com",
  proxyTarget: "proxy.example.com/docs",
  visibility: "share_link",
  shareKey: "key-of-the-site",
  published: true,
  publishedAt: instant,
  adaptiveContentEnabled: true,
  adaptiveSchema: schemaOf("customer", ...edgeCaseTexts, ...edgeCaseTexts.map((text) => `unsigned.${text}`)),
  adaptiveSchemaUpdatedAt: instant,
  agentsContext: "included",
} as const;

/** Fills the database of an application; returns people and objects. */
export async function makeEdgeCaseWorld(app: TestApp, world: World) {
  const scene = await setScene(app, world, { organization });
  await contradict(scene);
  const info = { title: edgeCaseTexts[0] ?? "", version: "1" };
  const filesystem = await keepDocument(app.files, { ...smallDocument, info });
  const documents = [await keepDocument(app.files, smallDocument), await keepDocument(app.files, changedDocument)];
  const more = await world.insert((rows) => {
    const [spec, content] = [addSpecs(rows, scene, { filesystem, documents }), addContent(rows, scene)];
    const onSites = addSites(rows, scene, content.open);
    addIntegrations(rows, scene, onSites.site.id);
    addSignIns(rows, scene);
    addTranslations(rows, scene, content.open);
    return { ...content, ...onSites, spec };
  });
  const computed = ["overview", "models/Ship"].map((doc) => newPage(doc, from(more.spec, doc)).edit);
  await editAs(app.as(scene.admin.token), { spaceId: more.plain.id }, ...computed);
  await addDemoContent(app.database, app.as(scene.admin.token));
  await giveFiles(app.database, more.open.revisionId, ["notes.txt", "more.txt"]);
  const titles = edgeCaseTexts.filter((text) => text.trim() !== "");
  const [pageId = ""] = await giveContent(app.database, more.open.revisionId, titles, titles.join("\n\n"));
  await discuss(app, world, { scene, more, pageId });
  const { prisma } = app.database;
  const opensOn = (id: string, data: object) => prisma.organization.update({ where: { id }, data });
  await opensOn(scene.organization.id, { defaultSpaceId: scene.space.id });
  await verifyDomain(app.database, scene.organization.id, "example.com");
  await prisma.emailDomain.updateMany({ data: { checkedAt: instant, missingSince: instant } });
  await opensOn(more.other.id, { defaultSiteId: more.otherSite.id });
  await prisma.contentFile.updateMany({ where: { name: "photo.txt" }, data: { width: 640, height: 480 } });
  await writeEdgeCaseTexts(app.database);
  const onDocs = { where: { siteId: more.site.id }, data: { condition: null } }; // all of it is visible to visitors
  await Promise.all([prisma.siteSection.updateMany(onDocs), prisma.siteSpace.updateMany(onDocs)]);
  await indexMissing(app.database);
  await writeEveryEvent(app, {
    organizationId: scene.organization.id,
    spaceId: scene.space.id,
    collectionId: scene.collection.id,
    changeRequestId: scene.changeRequestId,
    userId: scene.admin.id,
    memberId: scene.admin.memberId,
    teamId: scene.team.id,
    pageId,
  });
  return { admin: scene.admin, guest: scene.invitedGuest, first: await readFirst(app, { scene, more, pageId }) };
}

/** The ids of the objects with the most content. */
async function readFirst(app: TestApp, { scene, more, pageId }: Discussed): Promise<string[]> {
  const { prisma } = app.database;
  const space = await prisma.space.findUniqueOrThrow({
    where: { id: more.plain.id },
    include: { changeRequests: { where: { status: "open" } } },
  });
  const changeRequest = await prisma.changeRequest.findUniqueOrThrow({ where: { id: scene.changeRequestId } });
  const pages = await prisma.contentPage.findMany({
    where: { OR: [{ title: "Guide", slug: "guide" }, { type: { not: "document" } }, { fields: { not: {} } }] },
    orderBy: [{ type: "desc" }, { fields: "desc" }],
  });
  const { organization, collection, team, admin, invitedGuest } = scene;
  const things = [organization, collection, more.plain, scene.space, more.site, team, admin, invitedGuest];
  return [
    ...[...things, ...space.changeRequests].map(({ id }) => id),
    scene.teamOwner.memberId,
    scene.changeRequestId,
    ...[space, ...space.changeRequests, changeRequest].map(({ revisionId }) => revisionId),
    ...(await idsOfPages(app, scene, [...pages.map((page) => page.pageId), pageId])),
  ];
}

/** The ids of pages in the active revisions visible to the admin, by their stable ids. */
async function idsOfPages(app: TestApp, { organization: { id }, admin }: Scene, pageIds: string[]): Promise<string[]> {
  const { organization: found } = await app.as(admin.token).query<{
    organization: { spaces: { nodes: { content: { allPages: { id: string; pageId: string }[] } }[] } };
  }>("query ($id: ID!) { organization(id: $id) { spaces { nodes { content { allPages { id pageId } } } } } }", { id });
  const pages = found.spaces.nodes.flatMap(({ content }) => content.allPages);
  return pageIds.flatMap((pageId) => pages.filter((page) => page.pageId === pageId).map((page) => page.id));
}

/** Edits both contents of a scene with every kind of conflict. */
async function contradict({ main, mine, pull, ids }: Scene): Promise<void> {
  const reusable = ["title", "text", "gone"].map((name) => ({ id: newId("ReusableContent"), name }));
  const [title = "", text = "", gone = ""] = reusable.map(({ id }) => id);
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
  const pages = names.map((name) => newPage(`Page ${name}`, { markdown: `Text of ${name}` }));
  const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = ""] = pages.map(({ pageId }) => pageId);
  await main(
    ...pages.map(({ edit }) => edit),
    setVariable("version", "1"),
    ...reusable.map(({ id, name }): Edit => ({
      createReusableContent: { reusableContentId: id, title: name, markdown: `${name}\n` },
    })),
  );
  await pull();
  const sides = [
    { write: main, word: 'main "\\\u2028', before: h },
    { write: mine, word: "mine \u0007🛟", before: g },
  ];
  for (const { write, word, before } of sides) {
    const isMain = write === main;
    await write(
      setVariable("version", word),
      { updateReusableContent: { reusableContentId: title, title: word } },
      { updateReusableContent: { reusableContentId: text, markdown: `${word}\n` } },
      isMain
        ? { deleteReusableContent: { reusableContentId: gone } }
        : { updateReusableContent: { reusableContentId: gone, markdown: "kept\n" } },
      update(ids.faq, { title: word.trim().slice(0, 4), emoji: isMain ? "📗" : "📕" }),
      update(ids.guide, { markdown: guideWith({ 2: word, 7: `${word} 7` }) }),
      isMain ? remove(a) : update(a, { title: "Kept" }),
      isMain ? remove(b) : newPageAt(b, { title: "Below" }),
      isMain ? move(c, d) : move(d, c),
      move(e, isMain ? ids.faq : ids.guide),
      isMain ? newPageAt(null, { title: "Notes" }) : update(f, { slug: "notes" }),
      move(ids.setup, ids.guide, isMain ? { beforePageId: ids.start } : { afterPageId: ids.start }),
      move(before, null, { beforePageId: ids.guide }),
    );
  }
}

const setVariable = (name: string, value: string): Edit => ({ setVariables: { variables: [{ name, value }] } });

function addContent(rows: Rows, scene: Scene) {
  const { organization: here, collection, admin, invitedGuest, team, editor } = scene;
  const organizationId = here.id;
  addCollection(rows, { organizationId, parent: collection, defaultLevel: "comment" });
  const plain = addSpace(rows, { organizationId, parent: collection, visibility: "public" });
  const open = addSpace(rows, { organizationId, parent: collection, defaultLevel: "read" });
  addSpace(rows, {
    organizationId,
    visibility: "share_link",
    shareKey: "key-of-the-space",
    editMode: "locked",
  });
  addSpace(rows, { organizationId, visibility: "visitor_auth", visitorAuthBackend: "oidc" });
  const proposal = addChangeRequest(rows, { space: open, createdById: editor.id });
  const statuses = ["draft", "archived", "merged", "open"] as const;
  const requests = statuses.map((status) => addChangeRequest(rows, { space: plain, createdById: admin.id, status }));
  for (const { id: userId } of [admin, invitedGuest])
    for (const changeRequest of [proposal, ...requests])
      addReview(rows, {
        changeRequest,
        reviewerId: userId,
        ...(userId === admin.id && { status: "approved", message: edgeCaseTexts[0] ?? "Well done." }),
      });
  addToken(rows, { userId: admin.id, expiresAt: new Date("2100-01-01"), lastUsedAt: instant });
  addImports(rows, { plain, open, createdById: admin.id, changeRequestId: proposal.id, at: instant });
  for (const spaceId of [plain.id, scene.space.id]) {
    addGrant(rows, { organizationId, spaceId, userId: invitedGuest.id, role: "review" });
    addGrant(rows, { organizationId, spaceId, teamId: team.id, role: "edit" });
  }
  addInvitations(rows, { organizationId, admin });
  const other = addOrganization(rows, { emailDomains: ["example.com"], defaultRole: null });
  addOrganization(rows, { emailDomains: ["example.com"] });
  for (const { id: userId } of [admin, invitedGuest])
    addMember(rows, { organizationId: other.id, userId, role: "read", lastSeenAt: instant });
  const otherSite = addSite(rows, { organizationId: other.id });
  return { plain, open, requests, other, otherSite };
}

/** The small document with changes of all kinds: of the whole, an operation, a model, and fields of one. */
const changedDocument = {
  ...smallDocument,
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/ships": {
      get: { ...smallDocument.paths?.["/ships"], operationId: "listShips", deprecated: true, responses: {} },
    },
    "/planes": { get: { responses: {} } },
  },
  components: {
    schemas: { Ship: { type: "object", properties: { name: { type: "integer", maximum: 5 } } }, Plane: true },
  },
} as SpecDocument;

/**
 * Specifications with two versions and with none, public and private, with and without errors. Returns the id of the
 * one with versions.
 */
function addSpecs(
  rows: Rows,
  { organization: { id: organizationId }, admin }: Scene,
  { filesystem, documents }: { filesystem: string; documents: readonly string[] },
): string {
  const failed = {
    errorCode: "PARSE_ERROR",
    error: edgeCaseTexts[0] ?? "",
    processedAt: instant,
    dueAt: instant,
  } as const;
  addOpenApiSpec(rows, { organizationId, slug: "harbour", sourceBlob: null, sourceUrl: site.proxyOrigin, ...failed });
  const lastVersionId = newId("OpenApiSpecVersion");
  const given = { organizationId, createdById: admin.id, visibility: "public", title: edgeCaseTexts[1] ?? "" } as const;
  const { id: specId } = addOpenApiSpec(rows, { ...given, lastVersionId });
  for (const [index, id] of [newId("OpenApiSpecVersion"), lastVersionId].entries())
    addOpenApiSpecVersion(rows, {
      id,
      specId,
      number: index + 1,
      filesystem,
      document: documents[index] ?? "",
      title: edgeCaseTexts[index] ?? "",
    });
  return specId;
}

function addSites(rows: Rows, { organization: here, admin, space }: Scene, other: { id: string }) {
  const organizationId = here.id;
  const docs = addSite(rows, { organizationId, createdById: admin.id, publishedById: admin.id, ...site });
  const small = addSite(rows, { organizationId, icon: { emoji: "🤝" } });
  for (const { id: siteId } of [docs, small]) {
    const group = addSectionGroup(rows, { siteId });
    const sections = times(2, (index) =>
      addSection(rows, { siteId, isDefault: index === 0, ...(index === 0 && { sectionGroupId: group.id }) }),
    );
    for (const section of sections)
      addSiteSpace(rows, { siteId, sectionId: section.id, spaceId: space.id, isDefault: true });
    addSiteSpace(rows, { siteId, sectionId: sections[1]?.id ?? "", spaceId: other.id });
  }
  return { site: docs };
}

interface Discussed {
  readonly scene: Scene;
  readonly more: ReturnType<typeof addContent> & ReturnType<typeof addSites>;
  readonly pageId: string;
}

/** Comments on everything that they can be on, with replies and reactions. */
async function discuss(app: TestApp, world: World, { scene, more, pageId }: Discussed): Promise<void> {
  const { prisma } = app.database;
  const review = await prisma.review.findFirstOrThrow({ where: { changeRequestId: more.requests[3]?.id ?? "" } });
  await world.insert((rows) => {
    const people = [scene.admin, scene.editor, scene.invitedGuest];
    const onPage = { pageId, revisionId: more.open.revisionId };
    const targets = [
      { spaceId: more.plain.id },
      { spaceId: more.open.id, ...onPage },
      { spaceId: more.open.id, ...onPage, nodeId: "n1", nodePreview: "then" },
      { spaceId: more.open.id, tableCellRecord: "r", tableCellDefinition: "d", ...onPage },
      { spaceId: more.plain.id, changeRequestId: review.changeRequestId, reviewId: review.id },
      { spaceId: scene.space.id, changeRequestId: scene.changeRequestId },
    ];
    for (const [index, target] of [...targets, ...targets].entries()) {
      const posted = { postedById: people[index % 3]?.id ?? "", ...(index % 4 === 1 && { editedAt: instant }) };
      const comment = addComment(rows, { ...target, ...posted, status: index % 3 === 0 ? "resolved" : "open" });
      for (const { id: userId } of people) {
        const reply = addReply(rows, { commentId: comment.id, postedById: userId, editedAt: instant });
        addReaction(rows, { replyId: reply.id, userId });
        addReaction(rows, { commentId: comment.id, userId });
        const named = { userId: scene.admin.id, spaceId: target.spaceId, commentId: comment.id };
        rows.add("Mention", { id: newId("Mention"), ...named, replyId: reply.id, mentionedAt: instant });
      }
    }
  });
  const onPage = { id: newId("Mention"), userId: scene.admin.id, spaceId: more.open.id, pageId, mentionedAt: instant };
  await world.insert((rows) => rows.add("Mention", onPage));
  const dismissed = { status: "dismissed", dismissedAt: instant, dismissedById: scene.admin.id } as const;
  const [{ id: changeRequestId } = { id: "" }] = more.requests;
  await prisma.review.updateMany({ where: { changeRequestId, status: "approved" }, data: dismissed });
}
