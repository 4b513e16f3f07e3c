// The sidebar: collections and spaces of a parent in one order, level by level, and their ancestors.
import { describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Item {
  readonly __typename: "Collection" | "Space";
  readonly id: string;
  readonly title: string;
  readonly position: string;
  readonly parentId: string | null;
  readonly content?: { readonly totalCount: number; readonly nodes: readonly Item[] };
}

/** A document for a tree with this number of levels. */
function tree(levels: number, page = "first: 100"): string {
  const below = levels > 1 ? `content(${page}) { totalCount nodes { ${tree(levels - 1, page)} } }` : "";
  return `__typename id title position parentId ... on Space { visibility } ... on Collection { description ${below} }`;
}

const sidebar = (levels: number) =>
  `query ($id: ID!) { organization(id: $id) { content { totalCount nodes { ${tree(levels)} } } } }`;

/** A tree in which each collection has `width` collections and as many spaces in between, `levels` levels deep. */
async function makeTree(width: number, levels: number) {
  const made = await world.organization();
  const organizationId = made.organization.id;
  await world.insert((rows) => {
    const grow = (parent: ReturnType<typeof addCollection> | undefined, left: number): void => {
      if (left === 0) return;
      for (const each of times(width, (index) => index)) {
        addSpace(rows, { organizationId, title: `Space ${each}`, ...(parent && { parent }) });
        grow(addCollection(rows, { organizationId, title: `Collection ${each}`, ...(parent && { parent }) }), left - 1);
      }
    };
    grow(undefined, levels);
  });
  return made;
}

describe("content of an organization", () => {
  test("is its tree in one request: collections and spaces in one order, byte by byte", async () => {
    const { organization, reader } = await makeTree(2, 3);
    const { organization: found } = await app
      .as(reader.token)
      .query<{ organization: { content: NonNullable<Item["content"]> } }>(sidebar(3), { id: organization.id });
    const check = ({ totalCount, nodes }: NonNullable<Item["content"]>, parentId: string | null): number => {
      expect(nodes.map(({ title }) => title)).toEqual(["Space 0", "Collection 0", "Space 1", "Collection 1"]);
      expect(totalCount).toBe(4);
      expect(nodes.map(({ position }) => position)).toEqual(nodes.map(({ position }) => position).toSorted());
      expect(nodes.every((item) => item.parentId === parentId)).toBe(true);
      return nodes.reduce((sum, { id, content }) => sum + (content ? check(content, id) : 0), nodes.length);
    };
    expect(check(found.content, null)).toBe(4 + 8 + 16);
  });

  test("takes four statements per level with counts, for any number of items", async () => {
    const [small, large] = [await makeTree(1, 3), await makeTree(3, 3)];
    const costs: number[] = [];
    for (const { organization, reader } of [small, large])
      for (const levels of [1, 2, 3])
        costs.push(await app.as(reader.token).statements(sidebar(levels), { id: organization.id }));
    // The organization; per level the items, their count, the collections and the spaces.
    expect(costs).toEqual([5, 9, 13, 5, 9, 13]);
  });

  test("is paginated across both kinds, in both directions", async () => {
    const { organization, reader } = await makeTree(3, 1);
    const client = app.as(reader.token);
    interface Found {
      organization: {
        content: { edges: { cursor: string; node: { title: string } }[]; pageInfo: { hasNextPage: boolean } };
      };
    }
    const page = async (given: string) => {
      const document = `{ organization(id: "${organization.id}") { content(${given}) { edges { cursor node { title } } pageInfo { hasNextPage } } } }`;
      return (await client.query<Found>(document)).organization.content;
    };
    const titles: string[] = [];
    for (let after = ""; ;) {
      const { edges, pageInfo } = await page(`first: 2${after}`);
      titles.push(...edges.map(({ node }) => node.title));
      after = `, after: "${edges.at(-1)?.cursor}"`;
      if (!pageInfo.hasNextPage) break;
    }
    expect(titles).toEqual(["Space 0", "Collection 0", "Space 1", "Collection 1", "Space 2", "Collection 2"]);
    expect((await page("last: 2")).edges.map(({ node }) => node.title)).toEqual(titles.slice(4));
    expect(
      await client.refusal(`{ organization(id: "${organization.id}") { content(after: "x") { totalCount } } }`),
    ).toBe("INVALID_INPUT");
  });

  test("of a parent is limited to what the viewer may see: without deleted spaces and items not granted to guests", async () => {
    const made = await world.space();
    const { organization, collection, space } = made;
    const organizationId = organization.id;
    const { open } = await world.insert((rows) => {
      addSpace(rows, { organizationId, parent: collection, deletedAt: new Date() });
      addSpace(rows, { organizationId });
      const open = addSpace(rows, { organizationId, visibility: "public" });
      const given = addSpace(rows, { organizationId });
      addGrant(rows, { organizationId, spaceId: given.id, userId: made.guest.id, role: "read" });
      return { open };
    });
    const at = (token: string, place: readonly [string, string], list = "content") =>
      readList(app.as(token), place, list);
    const [top, inside] = [["Organization", organizationId] as const, ["Collection", collection.id] as const];
    expect(await at(made.reader.token, top)).toHaveLength(4);
    expect(await at(made.invitedGuest.token, top)).toEqual([collection.id, open.id]);
    expect(await at(made.guest.token, top)).toHaveLength(2);
    expect(await at(made.reader.token, inside)).toEqual([space.id]);
    expect(await at(made.reader.token, top, `content(parentId: "${collection.id}")`)).toEqual([space.id]);
    expect(await at(made.guest.token, top, `content(parentId: "${collection.id}")`)).toEqual([]);
    expect(
      await at(made.reader.token, ["Organization", organizationId], `content(parentId: "${made.elsewhere.id}")`),
    ).toEqual([]);
  });
});

describe("ancestors of a space or collection", () => {
  test("are listed from the top down, for any number of items in one statement", async () => {
    const { organization, reader } = await makeTree(2, 3);
    const list = `query ($id: ID!) { organization(id: $id) {
      spaces { nodes { parentId ancestors { id parentId } } } collections { nodes { parentId ancestors { id parentId } } } } }`;
    type Placed = { parentId: string | null; ancestors: { id: string; parentId: string | null }[] };
    const { organization: found } = await app
      .as(reader.token)
      .query<{ organization: Record<"spaces" | "collections", { nodes: Placed[] }> }>(list, { id: organization.id });
    const items = [...found.spaces.nodes, ...found.collections.nodes];
    for (const { parentId, ancestors } of items) {
      expect(ancestors.at(-1)?.id ?? null).toBe(parentId);
      expect(ancestors.map((each) => each.parentId)).toEqual([null, ...ancestors.map(({ id }) => id)].slice(0, -1));
    }
    expect(new Set(items.map(({ ancestors }) => ancestors.length))).toEqual(new Set([0, 1, 2]));
    // The organization, its spaces and its collections; the ancestors of both.
    expect(await app.as(reader.token).statements(list, { id: organization.id })).toBe(4);
  });

  test("omit collections that the viewer may not see", async () => {
    const { organization, guest } = await world.organization();
    const organizationId = organization.id;
    const { inner, space } = await world.insert((rows) => {
      const outer = addCollection(rows, { organizationId });
      const inner = addCollection(rows, { organizationId, parent: outer });
      addGrant(rows, { organizationId, collectionId: inner.id, userId: guest.id, role: "read" });
      return { inner, space: addSpace(rows, { organizationId, parent: inner }) };
    });
    expect(await app.as(guest.token).query(`{ space(id: "${space.id}") { ancestors { id } } }`)).toEqual({
      space: { ancestors: [{ id: inner.id }] },
    });
  });
});
