// Created rows are returned as edges of their lists: the same edge as in the list, usable as a cursor.
import { getNamedType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { textFile } from "#test/features/content/uploads.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { addGrant, addPersonIn } from "#test/features/members/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addInstallation, addIntegration } from "#test/features/integrations/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
}

const made = await world.everything();
const deleted = await world.insert((rows) =>
  addSpace(rows, { organizationId: made.organization.id, parent: made.collection, deletedAt: new Date() }),
);
const oldToken = await world.insert((rows) => addToken(rows, { userId: made.admin.id }));
await world.insert((rows) => addReview(rows, { changeRequest: made.changeRequest, reviewerId: made.reviewer.id }));
const [organizationId, spaceId, siteId] = [made.organization.id, made.space.id, made.site.id];
const { integrationName, installationId } = await world.insert((rows) => {
  const { id: integrationId } = addIntegration(rows, { organizationId });
  const selected = { spaceSelection: "selected", siteSelection: "selected" } as const;
  const installation = addInstallation(rows, { integrationId, organizationId, ...selected });
  return { integrationName: addIntegration(rows, { organizationId }).name, installationId: installation.id };
});

/** A mutation, its input, and the path to its list: the fields from the root with their arguments. */
type Case = readonly [mutation: string, input: object, way: readonly string[]];

const source = { url: "https://docs.example.com/openapi.json" };
const code = { script: "export const handle = () => null;" };
const inOrganization = `organization(id: "${organizationId}")`;
const inSite = `site(id: "${siteId}")`;
const inSpace = `space(id: "${spaceId}")`;
const changeRequest = `changeRequest(id: "${made.changeRequest.id}")`;

const cases: readonly Case[] = [
  ["createOrganization", { title: "Aardvark" }, ["organizations"]],
  ["createSpace", { organizationId, title: "New" }, [inOrganization, "spaces"]],
  ["duplicateSpace", { spaceId }, [inOrganization, "spaces"]],
  ["restoreSpace", { spaceId: deleted.id }, [inOrganization, "spaces"]],
  ["createCollection", { organizationId, title: "New" }, [inOrganization, "collections"]],
  ["createTeam", { organizationId, title: "A team" }, [inOrganization, "teams"]],
  ["createInvitation", { organizationId, email: "new.member@example.com" }, [inOrganization, "invitations"]],
  ["createInviteLink", { organizationId }, [inOrganization, "inviteLinks"]],
  [
    "createOidcProvider",
    { organizationId, label: "Staff", issuer: "https://login.example.com", clientId: "docs", clientSecret: "secret" },
    [inOrganization, "oidcProviders"],
  ],
  ["createSamlProvider", { organizationId, label: "Staff" }, [inOrganization, "samlProviders"]],
  ["createChangeRequest", { spaceId, subject: "New" }, [inSpace, "changeRequests"]],
  ["createComment", { contentOf: { spaceId }, text: { markdown: "New" } }, [inSpace, "comments"]],
  [
    "createComment",
    { contentOf: { changeRequestId: made.changeRequest.id }, text: { markdown: "New" } },
    [changeRequest, "comments"],
  ],
  [
    "createCommentReply",
    { commentId: made.comment.id, text: { markdown: "New" } },
    [`comment(id: "${made.comment.id}")`, "replies"],
  ],
  ["submitReview", { changeRequestId: made.changeRequest.id, verdict: "APPROVED" }, [changeRequest, "reviews"]],
  ["uploadFile", { contentOf: { spaceId }, file: textFile() }, [inSpace, "content", "files"]],
  [
    "startImport",
    { contentOf: { spaceId }, url: "https://docs.example.com/a.md", source: "MARKDOWN" },
    [inSpace, "imports"],
  ],
  ["startArchiveImport", { contentOf: { spaceId }, archive: zipFile() }, [inSpace, "imports"]],
  ["setGrant", { holder: { userId: made.guest.id }, target: { spaceId }, role: "READ" }, [inSpace, "grants"]],
  [
    "setGrant",
    { holder: { userId: made.guest.id }, target: { collectionId: made.collection.id }, role: "READ" },
    [`collection(id: "${made.collection.id}")`, "grants"],
  ],
  [
    "setTeamMember",
    { organizationId, teamId: made.team.id, userId: made.editor.id },
    [inOrganization, `team(id: "${made.team.id}")`, "members"],
  ],
  ["createSite", { organizationId, title: "New" }, [inOrganization, "sites"]],
  ["createSiteSection", { siteId, spaceId, title: "New" }, [inSite, "sections"]],
  ["createSiteSectionGroup", { siteId, title: "New" }, [inSite, "sectionGroups"]],
  ["createSiteSpace", { siteId, spaceId }, [inSite, "siteSpaces"]],
  ["createTranslation", { organizationId, language: "FR", source: { spaceId } }, [inOrganization, "translations"]],
  ["createGlossaryTerm", { organizationId, term: "Barometer" }, [inOrganization, "glossary"]],
  ["createOpenApiSpec", { organizationId, slug: "new", source }, [inOrganization, "openApiSpecs"]],
  ["putOpenApiSpec", { organizationId, slug: "newer", source }, [inOrganization, "openApiSpecs"]],
  ["publishIntegration", { organizationId, name: "new", title: "New", code }, [inOrganization, "integrations"]],
  ["installIntegration", { organizationId, integrationName }, [inOrganization, "installations"]],
  ["installIntegrationOnSpace", { installationId, spaceId }, [inSpace, "integrations"]],
  ["installIntegrationOnSite", { installationId, siteId }, [inSite, "integrations"]],
  ["createApiToken", { name: "New" }, ["apiTokens"]],
  ["rotateApiToken", { apiTokenId: oldToken.id }, ["apiTokens"]],
  ["createServiceToken", { organizationId, name: "New", role: "READ" }, [inOrganization, "serviceTokens"]],
];

const payloadOf = (mutation: string) => {
  const type = getNamedType(schema.getMutationType()?.getFields()[mutation]?.type);
  if (!isObjectType(type)) throw new Error(`No mutation ${mutation} exists.`);
  return type;
};

/** The name of the edge field of a payload. */
const edgeIn = (mutation: string) => Object.keys(payloadOf(mutation).getFields()).find((name) => name.endsWith("Edge"));

const admin = app.as(made.admin.token);

function documentOf(mutation: string, selection: string): string {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`;
}

/** The edges of a list after a cursor, or all. */
async function edgesOf(way: readonly string[], after?: string): Promise<Page["edges"]> {
  const [list = "", ...above] = way.toReversed();
  const page = `${list}(first: 1000${after === undefined ? "" : `, after: "${after}"`}) { edges { cursor node { id } } }`;
  const data = await admin.query<object>(`{ ${above.reduce((inside, field) => `${field} { ${inside} }`, page)} }`);
  const found = way.reduce<unknown>(
    (value, field) => (value as Record<string, unknown>)[field.replace(/\(.*/, "")],
    data,
  );
  return (found as Page).edges;
}

test.each(cases)("%s returns the same edge as its list", async (mutation, input, way) => {
  const name = edgeIn(mutation) ?? "";
  const row = name.replace(/Edge$/, "");
  const selection = `${row} { id } ${name} { cursor node { id __typename } }`;
  const answer = await admin.query<
    Record<string, Record<string, { id: string; cursor: string; node: { id: string } }>>
  >(documentOf(mutation, selection), { input });
  const { [row]: created, [name]: edge } = answer[mutation] ?? {};
  expect(edge?.node.id).toBe(created?.id);
  const all = await edgesOf(way);
  const place = all.findIndex(({ node }) => node.id === created?.id);
  expect(all[place]?.cursor).toBe(edge?.cursor);
  expect(await edgesOf(way, edge?.cursor)).toEqual(all.slice(place + 1));
});

test("every mutation that creates a list item is in the table", () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((mutation) => edgeIn(mutation));
  expect([...new Set(cases.map(([mutation]) => mutation))].toSorted()).toEqual(all.toSorted());
});

test("several created rows are returned as edges in list order, without existing rows", async () => {
  const changeRequestId = made.changeRequest.id;
  const asks = (people: readonly { readonly id: string }[]) =>
    admin.query<{ requestReviews: { reviewEdges: Page["edges"] } }>(
      documentOf("requestReviews", "reviewEdges { cursor node { id } }"),
      { input: { changeRequestId, reviewerIds: people.map(({ id }) => id) } },
    );
  const { requestReviews: first } = await asks([made.commenter]);
  const { requestReviews: then } = await asks([made.creator, made.commenter, made.admin]);
  expect([first.reviewEdges.length, then.reviewEdges.length]).toEqual([1, 2]);
  const all = await edgesOf([changeRequest, "reviews"]);
  for (const { reviewEdges } of [first, then]) {
    const ids = new Set(reviewEdges.map(({ node }) => node.id));
    expect(reviewEdges).toEqual(all.filter(({ node }) => ids.has(node.id)));
  }
});

test("a grant that removes the viewer's own access returns no edge", async () => {
  const own = await world.insert((rows) => {
    const person = addPersonIn(rows, { organizationId, role: "read" });
    addGrant(rows, { organizationId, spaceId, userId: person.id, role: "admin" });
    return person;
  });
  const input = { holder: { userId: own.id }, target: { spaceId }, role: "READ" };
  const selection = "grant { id } grantEdge { cursor }";
  expect(await app.as(own.token).query(documentOf("setGrant", selection), { input })).toEqual({
    setGrant: { grant: null, grantEdge: null },
  });
});

test("reads the row once for the object and its edge, also with aliases and without its id", async () => {
  const input = { contentOf: { spaceId }, text: { markdown: "Once" } };
  const cost = (selection: string) => admin.statements(documentOf("createComment", selection), { input });
  const alone = await cost("comment { id status }");
  expect(await cost("commentEdge { cursor }")).toBe(alone);
  expect(await cost("commentEdge { node { body { markdown } } }")).toBe(alone);
  expect(await cost("comment { id } again: comment { status } commentEdge { cursor node { postedAt } }")).toBe(alone);
});
