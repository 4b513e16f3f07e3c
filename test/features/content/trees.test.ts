// Trees read while another revision's tree is cached: common parts come from the cache, in the right place of
// each tree.
import { beforeAll, expect, test } from "vitest";
import { type Edit, editAs, newPage, outline, readPages, type Tree } from "#test/features/content/edits.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let as: Client;
let spaceId: string;
beforeAll(async () => {
  const { editor, space } = await world.space();
  as = app.as(editor.token);
  spaceId = space.id;
});

const pathsOf = (pages: readonly Tree[]): string[] =>
  pages.flatMap(({ path, pages: below }) => [path, ...pathsOf(below ?? [])]);

const levels = "pages { slug path pages { slug path pages { slug path pages { slug path } } } }";
const both = `query ($one: ID!, $other: ID!) {
  one: node(id: $one) { ... on Revision { ${levels} } }
  other: node(id: $other) { ... on Revision { pageCount allPages { path } ${levels} } }
}`;

interface Both {
  readonly one: { readonly pages: readonly Tree[] };
  readonly other: { readonly pageCount: number; readonly allPages: readonly Tree[]; readonly pages: readonly Tree[] };
}

test("a tree read from a cached one has pages with another slug, parent and order in place, and no deleted pages", async () => {
  const guide = newPage("Guide");
  const start = newPage("Start", { parentId: guide.pageId });
  const install = newPage("Install", { parentId: start.pageId });
  const faq = newPage("FAQ");
  const billing = newPage("Billing", { parentId: faq.pageId });
  const edit = (...edits: Edit[]) => editAs(as, { spaceId }, ...edits);
  const before = await edit(guide.edit, start.edit, install.edit, faq.edit, billing.edit);
  const expected: [string[], Edit[]][] = [
    [
      ["manual", "manual/start", "manual/start/install", "faq", "faq/billing"],
      [{ updatePage: { pageId: guide.pageId, slug: "manual" } }],
    ],
    [
      ["faq", "faq/billing", "faq/manual", "faq/manual/start", "faq/manual/start/install"],
      [{ movePage: { pageId: guide.pageId, parentId: faq.pageId } }],
    ],
    [
      ["start", "start/install", "faq", "faq/billing", "faq/manual"],
      [{ movePage: { pageId: start.pageId, parentId: null, place: { beforePageId: faq.pageId } } }],
    ],
    [["start", "start/install"], [{ deletePage: { pageId: faq.pageId } }]],
  ];
  for (const [paths, edits] of expected) {
    const other = await edit(...edits);
    const inMemory = outline(await readPages(as, before));
    const read = await as.query<Both>(both, { one: before, other });
    expect(outline(read.one.pages)).toEqual(inMemory);
    expect(pathsOf(read.other.pages)).toEqual(paths);
    expect(read.other.allPages.map(({ path }) => path)).toEqual(paths);
    expect(read.other.pageCount).toBe(paths.length);
  }
});
