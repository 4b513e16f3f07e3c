// Connections (Relay): paging in both directions returns every row once, pageInfo is exact, and invalid arguments are
// reported.
import { beforeAll, describe, expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

interface Connection {
  totalCount: number;
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const { app, world } = await useApp();
let client: Client;
let spaceId: string;
/** Ids of 11 comments, newest first; several share an instant, so that only the id decides their order. */
let newestFirst: string[];

const document = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $order: SortOrder! = DESC) {
  space(id: $id) { comments(first: $first, after: $after, last: $last, before: $before, orderBy: { field: POSTED_AT, direction: $order }) {
    totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;

beforeAll(async () => {
  const { editor, space } = await world.space();
  const comments = await world.insert((rows) =>
    times(11, (index) =>
      addComment(rows, {
        spaceId: space.id,
        postedById: editor.id,
        postedAt: `2026-01-01T00:00:0${Math.floor(index / 3)}.500Z`,
      }),
    ),
  );
  client = app.as(editor.token);
  spaceId = space.id;
  newestFirst = comments.map(({ id }) => id).toReversed();
});

async function page(given: Record<string, unknown>): Promise<Connection> {
  const { space } = await client.query<{ space: { comments: Connection } }>(document, { id: spaceId, ...given });
  return space.comments;
}
const idsOf = ({ edges }: Connection) => edges.map(({ node }) => node.id);

describe("paging through a connection", () => {
  test.each([1, 2, 3, 4, 10, 11, 12])("forward by %i returns each row once, in order", async (first) => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const found: Connection = await page({ first, after });
      expect(found.pageInfo.hasPreviousPage).toBe(seen.length > 0);
      seen.push(...idsOf(found));
      expect(found.pageInfo.hasNextPage).toBe(seen.length < 11);
      after = found.pageInfo.hasNextPage ? found.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(newestFirst);
  });

  test.each([1, 2, 3, 4, 10, 11, 12])(
    "backward by %i returns each row once, with pages in list order",
    async (last) => {
      const seen: string[] = [];
      let before: string | null = null;
      do {
        const found: Connection = await page({ last, before });
        expect(found.pageInfo.hasNextPage).toBe(seen.length > 0);
        seen.unshift(...idsOf(found));
        expect(found.pageInfo.hasPreviousPage).toBe(seen.length < 11);
        before = found.pageInfo.hasPreviousPage ? found.pageInfo.startCursor : null;
      } while (before !== null);
      expect(seen).toEqual(newestFirst);
    },
  );

  test("between two cursors works from either end", async () => {
    const all = await page({ first: 11 });
    const [after, before] = [all.edges[2]?.cursor, all.edges[8]?.cursor];
    const front = await page({ first: 2, after, before });
    expect(idsOf(front)).toEqual(newestFirst.slice(3, 5));
    expect(front.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const back = await page({ last: 2, after, before });
    expect(idsOf(back)).toEqual(newestFirst.slice(6, 8));
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  });

  test("in the opposite order reverses the rows", async () => {
    expect(idsOf(await page({ order: "ASC" }))).toEqual(newestFirst.toReversed());
  });
});

test("a page after the last row is empty with correct pageInfo", async () => {
  const all = await page({ first: 11 });
  const beyond = await page({ first: 5, after: all.pageInfo.endCursor });
  expect(beyond).toEqual({
    totalCount: 11,
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
  });
});

test("a page has 50 rows by default and at most 1000", async () => {
  const { editor, space } = await world.space();
  await world.insert((rows) => times(60, () => addChangeRequest(rows, { space, createdById: editor.id })));
  const list = (args: string) =>
    `{ space(id: "${space.id}") { changeRequests${args} { totalCount nodes { number } } } }`;
  const caller = app.as(editor.token);
  interface Found {
    space: { changeRequests: { totalCount: number; nodes: { number: number }[] } };
  }
  const { space: byDefault } = await caller.query<Found>(list(""));
  expect(byDefault.changeRequests.nodes.map(({ number }) => number)).toEqual(times(50, (index) => 60 - index));
  expect((await caller.query<Found>(list("(first: 1000)"))).space.changeRequests.nodes).toHaveLength(60);
});

test.each([
  [{ first: 0 }, "first", "1 to 1000"],
  [{ first: 1001 }, "first", "1 to 1000"],
  [{ last: -1 }, "last", "1 to 1000"],
  [{ first: 5, last: 5 }, "", "not both"],
  [{ after: "nonsense" }, "after", "must be a cursor of this list"],
  [
    { after: Buffer.from(`["postedAt","desc","now","x"]`).toString("base64url") },
    "after",
    "must be a cursor of this list",
  ],
  [
    { before: Buffer.from(`["number","desc",1,"cmt_01h000000000000000000000000"]`).toString("base64url") },
    "before",
    "must be a cursor of this list",
  ],
])("returns INVALID_INPUT with the reason for the arguments %j", async (given, path, message) => {
  const { errors, data } = await client.graphql<{ space: unknown }>(document, { id: spaceId, ...given });
  expect(errors?.[0]?.extensions.code).toBe("INVALID_INPUT");
  expect(errors?.[0]?.message).toContain(message);
  if (path) expect(errors?.[0]?.extensions.details?.[0]?.path).toBe(path);
  expect(data?.space ?? null).toBeNull();
});

test("refuses a cursor of another order", async () => {
  const { pageInfo } = await page({ first: 2 });
  expect(await client.refusal(document, { id: spaceId, order: "ASC", after: pageInfo.endCursor })).toBe(
    "INVALID_INPUT",
  );
});
