// What a mutation creates is an edge of its list, too: the one that the list has, and the page behind it goes on there.
import { getNamedType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { schema } from "#src/schema.ts";
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
await world.insert((rows) => addReview(rows, { changeRequest: made.changeRequest, reviewerId: made.reviewer.id }));
const [organizationId, spaceId, siteId] = [made.organization.id, made.space.id, made.site.id];

/** A mutation, its input, and the way to its list: the fields from the root with their arguments. */
type Case = readonly [mutation: string, input: object, way: readonly string[]];

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
  ["inviteMember", { organizationId, email: "new.member@example.com" }, [inOrganization, "members"]],
  ["createInviteLink", { organizationId }, [inOrganization, "inviteLinks"]],
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
  ["createSite", { organizationId, title: "New" }, [inOrganization, "sites"]],
  ["createSiteSection", { siteId, spaceId, title: "New" }, [inSite, "sections"]],
  ["createSiteSectionGroup", { siteId, title: "New" }, [inSite, "sectionGroups"]],
  ["createSiteSpace", { siteId, spaceId }, [inSite, "siteSpaces"]],
  ["createApiToken", { name: "New" }, ["apiTokens"]],
];

const payloadOf = (mutation: string) => {
  const type = getNamedType(schema.getMutationType()?.getFields()[mutation]?.type);
  if (!isObjectType(type)) throw new Error(`There is no mutation ${mutation}.`);
  return type;
};

/** The name of the field of a payload that is an edge. */
const edgeIn = (mutation: string) => Object.keys(payloadOf(mutation).getFields()).find((name) => name.endsWith("Edge"));

const admin = app.as(made.admin.token);

function documentOf(mutation: string, selection: string): string {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`;
}

/** The edges of a list behind a cursor, all of them without one. */
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

test.each(cases)("%s answers the edge that its list has", async (mutation, input, way) => {
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

test("every mutation that creates a row of a list is in the table", () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((mutation) => edgeIn(mutation));
  expect([...new Set(cases.map(([mutation]) => mutation))].toSorted()).toEqual(all.toSorted());
});

test("the row is read once for itself and its edge, also under other names and without its id", async () => {
  const input = { contentOf: { spaceId }, text: { markdown: "Once" } };
  const cost = (selection: string) => admin.statements(documentOf("createComment", selection), { input });
  const alone = await cost("comment { id status }");
  expect(await cost("commentEdge { cursor }")).toBe(alone);
  expect(await cost("commentEdge { node { body { markdown } } }")).toBe(alone);
  expect(await cost("comment { id } again: comment { status } commentEdge { cursor node { postedAt } }")).toBe(alone);
});
