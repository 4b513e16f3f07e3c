// Cost of searching and indexing in SQL statements, and changes of the index: another language, and a complete rebuild.
import { beforeAll, expect, test } from "vitest";
import { reindexTexts, indexMissing } from "#src/features/content/commands/index-texts.ts";
import { searchParts } from "#src/features/search/commands.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

// Has its own database: rebuilds the whole index.
const { app, world } = await useApp({ own: true });
let as: Client;
let organizationId: string;
let spaceIds: string[];

beforeAll(async () => {
  const { admin, organization } = await world.organization();
  organizationId = organization.id;
  as = app.as(admin.token);
  const spaces = await world.insert((rows) => times(20, () => addSpace(rows, { organizationId })));
  spaceIds = spaces.map(({ id }) => id);
  const pages = times(22, (index) => newPage(`Page ${index}`, { markdown: "# Animals\n\nWombats are running." }).edit);
  for (const spaceId of spaceIds) await editAs(as, { spaceId }, ...pages);
});

test.each([
  ["spaces(first: $spaces) { nodes { search(text: $text, first: $first) { HITS } } }", 7],
  ["search(text: $text, first: $first) { HITS } spaces(first: $spaces) { totalCount }", 8],
  [
    "searchedSpaces(text: $text, first: $spaces) { totalCount nodes { hits(first: $first) { title sections { title } } } }",
    6,
  ],
])(
  "the query %s takes the same number of statements for 2 and 20 spaces, and 2 and 20 hits in each",
  async (fields, most) => {
    const hits = "totalCount nodes { title path sections { title body bodyMatches { start } } space { title } }";
    const document = `query ($id: ID!, $spaces: Int!, $first: Int!, $text: String!) { organization(id: $id) { ${fields.replace("HITS", hits)} } }`;
    for (const [text, more] of [
      ["wombat", 0],
      ["wombta", 3],
    ] as const) {
      const cost = (spaces: number, first: number) =>
        as.statements(document, { id: organizationId, spaces, first, text });
      const least = await cost(2, 2);
      expect(await cost(2, 20)).toBe(least);
      expect(await cost(20, 2)).toBe(least);
      expect(least).toBeLessThanOrEqual(most + more);
    }
  },
);

test("a search takes one statement for a page of hits, one for their count and two for their sections", async () => {
  const cost = (fields: string) =>
    as.statements(`query ($id: ID!) { space(id: $id) { id search(text: "wombats") { ${fields} } } }`, {
      id: spaceIds[0],
    });
  const space = await as.statements(`query ($id: ID!) { space(id: $id) { id } }`, { id: spaceIds[0] });
  expect(await cost("nodes { title }")).toBe(space + 1);
  expect(await cost("totalCount nodes { title }")).toBe(space + 2);
  expect(await cost("nodes { sections { body } }")).toBe(space + 3);
  expect(await cost("nodes { score rank description ancestors { title } }")).toBe(space + 1); // all are at the top
});

interface Found {
  readonly space: { readonly search: { readonly totalCount: number; readonly nodes: { pageId: string }[] } };
}

const count = async (spaceId: string, text: string): Promise<number> => {
  const { space } = await as.query<Found>(
    `query ($id: ID!, $text: String!) { space(id: $id) { search(text: $text) { totalCount } } }`,
    { id: spaceId, text },
  );
  return space.search.totalCount;
};

test("search results are paginated by cursor, also among hits for similar words, and each is returned once", async () => {
  for (const text of ["wombats", "wombatz"]) {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      interface Paged {
        space: { search: { nodes: { pageId: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } };
      }
      const answer: Paged = await as.query<Paged>(
        `query ($id: ID!, $text: String!, $after: String) { space(id: $id) { search(text: $text, first: 5, after: $after) {
          nodes { pageId } pageInfo { endCursor hasNextPage } } } }`,
        { id: spaceIds[0], text, after },
      );
      const { nodes, pageInfo } = answer.space.search;
      seen.push(...nodes.map(({ pageId }) => pageId));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toHaveLength(22);
    expect(new Set(seen).size).toBe(22);
  }
});

test("other forms of words are found in a space whose language is known", async () => {
  const [first = "", second = ""] = spaceIds;
  expect(await count(first, "wombats run safely -safely")).toBe(0);
  expect(await count(first, '"wombat are run"')).toBe(0);
  await as.query(`mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { searchLanguage } } }`, {
    input: { spaceId: first, searchLanguage: "ENGLISH" },
  });
  await expect.poll(() => count(first, '"wombat are run"')).toBe(22);
  expect(await count(second, '"wombat are run"')).toBe(0);
  expect(await count(second, "wombats running")).toBe(22);
});

test("a rebuilt search index finds the same as the one before", async () => {
  const [, second = ""] = spaceIds;
  await app.database.pool.query(
    `update "SearchText" set vector = ''; delete from "PresentPage" where "spaceId" = $$${second}$$`,
  );
  expect(await count(second, "wombats")).toBe(0);
  const steps: [number, number][] = [];
  await reindexTexts(app.database, searchParts, (done, total) => steps.push([done, total]));
  expect(await count(second, "wombats")).toBe(22);
  expect(steps.at(-1)?.[0]).toBeGreaterThan(0);
});

test("a search with very many matches counts all and lists the best", async () => {
  const { admin, space } = await world.space();
  const many = times(1_200, (index) => newPage(`Page ${index}`, { markdown: "Wombats are running." }).edit);
  const [best] = many.splice(3, 1, newPage("Running wombats", { markdown: "Some are." }).edit);
  expect(best).toBeDefined();
  await editAs(app.as(admin.token), { spaceId: space.id }, ...many.slice(0, 600));
  await editAs(app.as(admin.token), { spaceId: space.id }, ...many.slice(600));
  await indexMissing(app.database);
  interface Best {
    space: { search: { totalCount: number; nodes: { title: string }[]; pageInfo: Record<string, string> } };
  }
  const titles: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined;) {
    const answer: Best = await app.as(admin.token).query<Best>(
      `query ($id: ID!, $after: String) { space(id: $id) { search(text: "running wombats", first: 100, after: $after) {
        totalCount nodes { title } pageInfo { hasNextPage endCursor } } } }`,
      { id: space.id, after },
    );
    const { search } = answer.space;
    expect(search.totalCount).toBe(1_200);
    titles.push(...search.nodes.map(({ title }) => title));
    after = search.pageInfo["hasNextPage"] ? search.pageInfo["endCursor"] : undefined;
  }
  expect(titles[0]).toBe("Running wombats");
  expect(new Set(titles).size).toBe(350); // the newest
});

test("/v1 searches a space by pages, and an organization by spaces", async () => {
  const [, second = ""] = spaceIds;
  interface Items {
    items: { id: string; title: string; pages?: object[]; sections?: object[] }[];
    count: number;
  }
  const query = `query=${encodeURIComponent("wombats animals")}&limit=2`;
  const inSpace = await as.rest<Items>("GET", `/v1/spaces/${second}/search?${query}`);
  expect(inSpace.status).toBe(200);
  expect(inSpace.body.items).toHaveLength(2);
  expect(inSpace.body.items[0]?.sections).toEqual([
    expect.objectContaining({ title: "Animals", body: "Wombats are running." }),
  ]);
  const inOrganization = await as.rest<Items>("GET", `/v1/orgs/${organizationId}/search?${query}`);
  expect(inOrganization.status).toBe(200);
  expect(inOrganization.body.items).toHaveLength(2);
  expect(inOrganization.body.items[0]?.pages).toHaveLength(10);
  expect((await as.rest("GET", `/v1/spaces/${second}/search`)).status).toBe(400);
  expect((await as.rest("GET", `/v1/spaces/${second}/search?query=${"x".repeat(513)}`)).status).toBe(400);
});
