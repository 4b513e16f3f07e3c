// Who finds what: nobody gets a hit, a count or an extract of what they may not see, and drafts are found in their
// change request alone.
import { beforeAll, describe, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

type World = Awaited<ReturnType<typeof makeSpaces>>;
type Name = "admin" | "editor" | "reader" | "guest" | "invitedGuest" | "disabled" | "outsider";
let made: World;

/** Spaces of each kind with a page that all searches look for, a site with two of them, and a change request. */
async function makeSpaces() {
  const scene = await world.space();
  const { organization, admin, space: inCollection } = scene;
  const organizationId = organization.id;
  const { spaces, site } = await world.insert((rows) => {
    const place = { organizationId };
    const spaces = {
      open: addSpace(rows, { ...place, visibility: "public" }),
      linked: addSpace(rows, { ...place, visibility: "share_link", shareKey: "a-secret-key" }),
      closed: addSpace(rows, { ...place, visibility: "private", openToMembers: false }),
      deleted: addSpace(rows, { ...place, visibility: "public" }),
    };
    const site = addSite(rows, { organizationId });
    for (const { id } of [spaces.open, spaces.closed]) addSiteSpace(rows, { siteId: site.id, spaceId: id });
    return { spaces: { inCollection, ...spaces }, site };
  });
  const as = app.as(admin.token);
  for (const [name, { id }] of Object.entries(spaces)) {
    const noIndex = newPage(`Unlisted ${name}`, { markdown: "Quokka", noIndex: true });
    await editAs(as, { spaceId: id }, newPage(`Page ${name}`, { markdown: "A quokka." }).edit, noIndex.edit);
  }
  const deletedAt = new Date();
  await app.database.prisma.space.update({ where: { id: spaces.deleted.id }, data: { deletedAt } });
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`,
    { input: { spaceId: inCollection.id, subject: "Draft" } },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const draft = newPage("Draft page", { markdown: "A draft of a quokka." });
  const page = await app.database.prisma.presentPage.findFirstOrThrow({
    where: { spaceId: inCollection.id, title: "Page inCollection" },
  });
  await editAs(as, { changeRequestId }, draft.edit, { updatePage: { pageId: page.pageId, markdown: "Not any more." } });
  return { ...scene, organizationId, spaces, siteId: site.id, changeRequestId };
}

beforeAll(async () => {
  made = await makeSpaces();
});

interface Hits {
  readonly search: { totalCount: number; nodes: { title: string; sections: { body: string }[] }[] } | null;
}

const document = `query ($in: SearchPlace!, $text: String!) { search(text: $text, in: $in) { totalCount nodes { title sections { body } } } }`;

/** The titles that somebody finds in a place, without those of pages that are left out of searches of sites. */
async function found(name: Name | null, place: Record<string, string>, text = "quokka"): Promise<string[] | null> {
  const { data } = await app.as(name && made[name].token).graphql<Hits>(document, { in: place, text });
  if (!data?.search) return null;
  const { nodes, totalCount } = data.search;
  expect(totalCount).toBe(nodes.length);
  for (const { sections } of nodes)
    expect(sections.map(({ body }) => body)).toEqual([expect.stringMatching(/quokka/i)]);
  return nodes
    .map(({ title }) => title)
    .filter((title) => !title.startsWith("Unlisted"))
    .toSorted();
}

describe("in an organization", () => {
  test.each<[Name, string[] | null]>([
    ["admin", ["Page closed", "Page inCollection", "Page linked", "Page open"]],
    ["reader", ["Page inCollection", "Page linked", "Page open"]],
    ["invitedGuest", ["Page inCollection", "Page open"]],
    ["guest", ["Page open"]],
  ])("%s finds the pages that they see", async (name, titles) => {
    const { organizationId } = made;
    expect(await found(name, { organizationId })).toEqual(titles);
    expect(await found(name, { organizationId }, "qoukka")).toEqual(titles);
  });

  test("by spaces, each with its pages, and what others have is not there", async () => {
    interface Spaces {
      organization: { searchedSpaces: { totalCount: number; nodes: { spaceId: string; hits: { title: string }[] }[] } };
    }
    const { organization } = await app
      .as(made.guest.token)
      .query<Spaces>(
        `query ($id: ID!) { organization(id: $id) { searchedSpaces(text: "quokka") { totalCount nodes { spaceId hits { title } } } } }`,
        { id: made.organizationId },
      );
    expect(organization.searchedSpaces.totalCount).toBe(1);
    expect(organization.searchedSpaces.nodes.map(({ spaceId }) => spaceId)).toEqual([made.spaces.open.id]);
  });
});

describe("in a space", () => {
  test.each<[Name | null, keyof World["spaces"], string[] | null]>([
    ["reader", "inCollection", ["Page inCollection"]],
    ["guest", "inCollection", null],
    ["outsider", "inCollection", null],
    ["outsider", "open", ["Page open"]],
    ["disabled", "closed", null],
    ["reader", "closed", null],
    ["admin", "closed", ["Page closed"]],
    ["admin", "deleted", null],
    [null, "open", null],
  ])("%s finds of %s %j", async (name, space, titles) => {
    expect(await found(name, { spaceId: made.spaces[space].id })).toEqual(titles);
  });
});

test("a site has the pages of its spaces that the viewer sees, without those that are left out of its search", async () => {
  const { siteId } = made;
  interface Search {
    search: { nodes: { title: string }[] };
  }
  const titles = async (name: Name) => {
    const { search } = await app.as(made[name].token).query<Search>(document, { in: { siteId }, text: "quokka" });
    return search.nodes.map(({ title }) => title).toSorted();
  };
  expect(await titles("admin")).toEqual(["Page closed", "Page open"]);
  expect(await titles("reader")).toEqual(["Page open"]);
  expect(await titles("outsider")).toEqual(["Page open"]);

  const place = { where: { siteId, spaceId: made.spaces.open.id } };
  await app.database.prisma.siteSpace.updateMany({ ...place, data: { condition: "visitor.claims.staff" } });
  expect(await titles("outsider")).toEqual([]); // though they may see the space elsewhere
  expect(await titles("reader")).toEqual(["Page open"]);
  await app.database.prisma.siteSpace.updateMany({ ...place, data: { condition: null } });
});

test("drafts are found in their change request alone, by those with a role on the space", async () => {
  const { changeRequestId, organizationId, spaces } = made;
  expect(await found("reader", { changeRequestId })).toEqual(["Draft page"]);
  expect(await found("outsider", { changeRequestId })).toBeNull();
  expect(await found("guest", { changeRequestId })).toBeNull();
  for (const place of [{ spaceId: spaces.inCollection.id }, { organizationId }])
    expect(await found("admin", place, "draft")).toEqual([]);
});
