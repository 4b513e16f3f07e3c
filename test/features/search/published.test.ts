// Searching a published site as a visitor: only visible pages, with paths and URLs on the site, at a cost
// that does not depend on the site's size.
import { beforeAll, expect, test } from "vitest";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { addSiteSpace } from "#test/features/sites/factory.ts";
import { jwt } from "#test/features/sites/tokens.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

let made: Awaited<ReturnType<typeof makePublished>>;
let visitorToken: string;

beforeAll(async () => {
  made = await makePublished(app, world, { visibility: "public" });
  const as = app.as(made.admin.token);
  for (const [name, { id }] of Object.entries(made.spaces)) {
    const area = newPage("Area", { hidden: true, markdown: "Quokka" });
    const below = newPage("Below", { parentId: area.pageId, markdown: "Quokka" });
    const wombat = newPage("Wombat", { markdown: `# Where\n\nA quokka of ${name}.` });
    const left = newPage("Left out", { markdown: "Quokka", noIndex: true });
    await editAs(as, { spaceId: id }, area.edit, below.edit, wombat.edit, left.edit);
  }
  const rotated = await as.query<{ rotateSiteSigningKey: { signingKey: string } }>(
    `mutation { rotateSiteSigningKey(input: { siteId: "${made.siteId}" }) { signingKey } }`,
  );
  const claims = { aud: made.siteId, exp: Math.floor(Date.now() / 1000) + 600, staff: true };
  visitorToken = jwt({ alg: "HS256", typ: "JWT" }, claims, rotated.rotateSiteSigningKey.signingKey);
});

interface Found {
  readonly publishedSite: { readonly search: { readonly totalCount: number; readonly nodes: { path: string }[] } };
}

const searching = (
  fields: string,
) => `query ($id: ID!, $text: String!, $visitorToken: String, $first: Int = 2, $after: String) {
  publishedSite(by: { id: $id }, visitorToken: $visitorToken) { search(text: $text, first: $first, after: $after) { ${fields} } } }`;

const search = async (fields: string, variables: object) =>
  (await app.as(null).query<Found>(searching(fields), { id: made.siteId, ...variables })).publishedSite.search;

test("searching a published site finds pages that the visitor sees, with their place on the site", async () => {
  const fields = `totalCount nodes { pageId title type path urls { published } siteSpace { path } page { title path }
    sections { sectionId anchor title path body bodyMatches { start end } urls { published } } }`;
  const address = `${app.url}/published/${made.siteId}/docs/guide/wombat`;
  for (const text of ["quokka", "qoukka"])
    expect(await search(fields, { text })).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          title: "Wombat",
          type: "DOCUMENT",
          path: "docs/guide/wombat",
          urls: { published: address },
          siteSpace: { path: "guide" },
          page: { title: "Wombat", path: "docs/guide/wombat" },
          sections: [
            {
              anchor: "where",
              title: "Where",
              path: "docs/guide/wombat#where",
              body: "A quokka of guide.",
              bodyMatches: [{ start: 2, end: 8 }],
              urls: { published: `${address}#where` },
            },
          ],
        },
      ],
    });
  expect(await search(fields, { text: "quokka internal" })).toEqual({ totalCount: 0, nodes: [] });
});

test("searching a published site continues from a cursor for a visitor who sees more", async () => {
  const fields = "totalCount nodes { path } pageInfo { endCursor hasNextPage }";
  const variables = { text: "quokka", visitorToken };
  const first = (await search(fields, variables)) as unknown as Found["publishedSite"]["search"] & {
    pageInfo: { endCursor: string; hasNextPage: boolean };
  };
  expect(first.pageInfo.hasNextPage).toBe(true);
  const second = await search(fields, { ...variables, after: first.pageInfo.endCursor });
  expect(second.totalCount).toBe(4);
  const paths = [...first.nodes, ...second.nodes].map(({ path }) => path).toSorted();
  expect(paths).toEqual(["api/internal/wombat", "docs/guide/wombat", "docs/inside/wombat", "team/notes/wombat"]);
});

test("searching a published site as a member omits the same pages", async () => {
  const { search: found } = await app.as(made.admin.token).query<{
    search: { totalCount: number; nodes: { title: string }[] };
  }>(`{ search(text: "quokka", in: { siteId: "${made.siteId}" }) { totalCount nodes { title } } }`);
  expect(found.nodes.map(({ title }) => title)).toEqual(times(4, () => "Wombat"));
});

test("searching a published site takes the same statements for 1 and 21 hits and spaces, and finds a doubly placed space once", async () => {
  const all = "totalCount nodes { path urls { published } siteSpace { path } sections { body } }";
  const cost = async () => {
    await search("totalCount", { text: "quokka" }); // the structure of the site is kept from here on
    return app.as(made.outsider.token).statements(searching(all), { id: made.siteId, text: "quokka", first: 50 });
  };
  expect(await cost()).toBe(5); // the site, hits, their count, and two for sections
  const added = await world.insert((rows) =>
    times(20, (index) => {
      const { siteId, organizationId, sections } = made;
      const space = addSpace(rows, { organizationId, title: `Space ${index}` });
      addSiteSpace(rows, { siteId, sectionId: sections.docs, spaceId: space.id, path: `other-${index}` });
      if (index === 0)
        addSiteSpace(rows, { siteId, sectionId: sections.api, spaceId: made.spaces.guide.id, path: "guide" });
      return space;
    }),
  );
  for (const { revisionId } of added) await giveContent(app.database, revisionId, ["Animal"], "Another quokka.");
  const of = { spaceIds: added.map(({ id }) => id), changeRequestIds: [], revisionIds: [] };
  await indexMissing(app.database, { of });
  expect(await cost()).toBe(5);
  const { totalCount, nodes } = await search("totalCount nodes { path page { path } }", { text: "quokka", first: 50 });
  expect([totalCount, nodes.length]).toEqual([21, 21]);
  expect(nodes.filter(({ path }) => path.endsWith("wombat"))).toEqual([
    { path: "docs/guide/wombat", page: { path: "docs/guide/wombat" } },
  ]);
});

test("searching a published site without visible content finds nothing, and invalid input is refused", async () => {
  const { siteId } = await makePublished(app, world);
  await app.database.prisma.siteSection.updateMany({ where: { siteId }, data: { condition: "visitor.claims.staff" } });
  const nothing = await search("totalCount nodes { path }", { id: siteId, text: "text" });
  expect(nothing).toEqual({ totalCount: 0, nodes: [] });
  const refused = (variables: object) =>
    app.as(null).refusal(searching("nodes { path sections(first: 99) { body } }"), { id: made.siteId, ...variables });
  expect(await refused({ text: "x".repeat(513) })).toBe("INVALID_INPUT");
  expect(await refused({ text: "quokka" })).toBe("INVALID_INPUT");
});
