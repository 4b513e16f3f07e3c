// Storing a merge: the hashes lead to the merged pages, and only pages that neither side has get new ones.
// The small size merges a tenth of the random trees.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { NewContent } from "#src/features/content/model/draft.ts";
import { hashPage, hashText, hashTree } from "#src/features/content/model/content-state.ts";
import { buildPages } from "#src/features/content/model/merge/build.ts";
import type { PagesById } from "#src/features/content/model/merge/merging.ts";
import type { Choice, Sides } from "#src/features/content/model/merge/sides.ts";
import { Comparer } from "#src/features/content/reads/comparer.ts";
import { type ContentMerge, mergeContents } from "#src/features/content/model/merge/content.ts";
import type { PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";
import { randomTrees } from "#test/features/content/model/merge/random-trees.ts";
import { outline, outlineOf } from "#test/features/content/model/merge/trees.ts";
import { runs } from "#test/support/runs.ts";

const early = "2026-01-01T00:00:00.000Z";
const now = new Date("2026-02-01T00:00:00.000Z");

/** The tree of a revision with these pages, and its hash. */
function revision(pages: PagesById, updatedAt: string = early): { tree: PageTree; treeHash: string | null } {
  const byId = new Map<string, PageRow>();
  const levels = Map.groupBy(pages, ([, { parent }]) => parent);
  const rowsBelow = (parentId: string | null, above: string): PageRow[] =>
    (levels.get(parentId) ?? [])
      .toSorted(([, one], [, other]) => one.position - other.position)
      .map(([pageId, { fields, document }]) => {
        const { slug, title = "T", ...others } = fields as Record<string, string>;
        const state = {
          pageId,
          type: "document",
          title,
          slug: slug ?? "",
          fields: others,
          documentHash: document === null ? null : hashText(document),
          createdAt: early,
          updatedAt,
        } as PageState; // the times are instants
        const path = `${above}${slug}`;
        const rows = rowsBelow(pageId, `${path}/`);
        const hash = hashPage(state, hashTree(rows.map((row) => row.hash)));
        const row: PageRow = { ...state, hash, parentId, path, pages: rows };
        byId.set(pageId, row);
        return row;
      });
  const rows = rowsBelow(null, "");
  return { tree: { pages: rows, byId }, treeHash: hashTree(rows.map(({ hash }) => hash)) };
}

type Revisions = Sides<ReturnType<typeof revision>>;

const treesOf = ({ base, ours, theirs }: Revisions) => [base, ours, theirs].map(({ tree }) => tree);

/** Merges with every conflict settled for one side, in as many rounds as needed. */
async function merge(revisions: Revisions, texts: readonly string[], side: Choice): Promise<ContentMerge> {
  const byHash = new Map(texts.map((text) => [hashText(text), text]));
  const none = { filesHash: null, variables: {}, reusableContents: {} };
  const { base, ours, theirs } = revisions;
  const states = {
    base: { ...none, treeHash: base.treeHash },
    ours: { ...none, treeHash: ours.treeHash },
    theirs: { ...none, treeHash: theirs.treeHash },
  };
  const source = {
    comparing: new Comparer(),
    trees: async (hashes: readonly string[]) =>
      hashes.flatMap((hash) => [base, ours, theirs].find(({ treeHash }) => treeHash === hash)?.tree ?? []),
    texts: async (hashes: readonly string[]) => hashes.map((hash) => byHash.get(hash) ?? ""),
  };
  const choices = new Map<string, Choice>();
  for (;;) {
    const merged = await mergeContents(states, source, choices);
    if (merged.conflicts.length === 0) return merged;
    for (const { id } of merged.conflicts) {
      if (choices.get(id) === side) choices.set(id, side === "ours" ? "theirs" : "ours");
      else choices.set(id, side);
    }
  }
}

const lineOf = (indent: string, pageId: string, shown: object) => `${indent}${pageId} ${JSON.stringify(shown)}`;

/** All pages of the three revisions by hash. */
function rowsOf(revisions: Revisions): Map<string, PageRow> {
  const rows = treesOf(revisions).flatMap(({ byId }) => [...byId.values()]);
  return new Map(rows.map((row) => [row.hash, row]));
}

/** The pages below a hash, from the new rows and those of the sides. Throws if one is missing. */
function read({ treeHash, pages, trees }: NewContent, revisions: Revisions): string[] {
  const rows = rowsOf(revisions);
  const levels = [...rows.values(), ...treesOf(revisions)].map((row) => row.pages);
  const lists = new Map(
    levels.map((level) => level.map(({ hash }) => hash)).map((hashes) => [hashTree(hashes), hashes]),
  );
  const linesOf = (hash: string | null, indent: string): string[] => {
    const hashes = hash === null ? [] : (trees.get(hash) ?? lists.get(hash));
    if (!hashes) throw new Error(`No list ${hash}`);
    return hashes.flatMap((pageHash) => {
      const row = rows.get(pageHash);
      const page =
        pages.get(pageHash) ?? (row && { ...row, childrenHash: hashTree(row.pages.map((below) => below.hash)) });
      if (!page) throw new Error(`No page ${pageHash}`);
      expect(hashPage(page, page.childrenHash)).toBe(pageHash);
      return [
        lineOf(indent, page.pageId, { slug: page.slug, title: page.title }),
        ...linesOf(page.childrenHash, `${indent}  `),
      ];
    });
  };
  return linesOf(treeHash, "");
}

/** All merged pages: those that could differ, and the unchanged descendants of the others. */
function whole({ trees, merged }: NonNullable<ContentMerge["pages"]>): string[] {
  const pages = new Map(merged);
  const add = (rows: readonly PageRow[]) => {
    for (const [position, { pageId, parentId, title, slug, pages: below }] of rows.entries()) {
      if (!pages.has(pageId))
        pages.set(pageId, { parent: parentId, position, fields: { title, slug }, document: null });
      add(below);
    }
  };
  for (const [id] of merged) {
    const rows = [trees.base, trees.ours, trees.theirs].map(({ byId }) => byId.get(id));
    if (rows[0] && rows.every((row) => row?.hash === rows[0]?.hash)) add(rows[0].pages);
  }
  const children = Map.groupBy(pages, ([, { parent }]) => parent);
  const linesBelow = (parent: string | null, indent: string): string[] =>
    (children.get(parent) ?? [])
      .toSorted(([, one], [, other]) => one.position - other.position)
      .flatMap(([id, { fields }]) => [
        lineOf(indent, id, { slug: fields["slug"], title: fields["title"] ?? "T" }),
        ...linesBelow(id, `${indent}  `),
      ]);
  return linesBelow(null, "");
}

it("building a merge stores the merged pages, and nothing that a side has already", async () => {
  await fc.assert(
    fc.asyncProperty(randomTrees, fc.constantFrom<Choice>("ours", "theirs"), async (pages, side) => {
      const revisions = {
        base: revision(pages.base),
        ours: revision(pages.ours),
        theirs: revision(pages.theirs),
      };
      const texts = [pages.base, pages.ours, pages.theirs].flatMap((tree) =>
        [...tree.values()].flatMap(({ document }) => document ?? []),
      );
      const merged = await merge(revisions, texts, side);
      if (!merged.pages) return;
      const built = buildPages(merged.pages, now);
      expect(read(built, revisions)).toEqual(whole(merged.pages));
      const known = rowsOf(revisions);
      expect([...built.pages.keys()].filter((hash) => known.has(hash))).toEqual([]);
    }),
    { numRuns: runs(1_000), seed: 11 },
  );
});

it("building a merge keeps the times of the side that a page is from, and theirs where both are the same", async () => {
  const base = revision(outline("a", "b", "c =1", "d"));
  const ours = revision(outline("a title:O", "b title:B", "c =1", "d title:D", "n"), "2026-01-02T00:00:00.000Z");
  const theirs = revision(outline("a", "b title:B", "c =2", "d slug:e", "m"), "2026-01-03T00:00:00.000Z");
  const merged = await merge({ base, ours, theirs }, ["1", "2"], "ours");
  const built = merged.pages && buildPages(merged.pages, now);
  const hashes = built?.trees.get(built.treeHash ?? "") ?? [];
  const rows = rowsOf({ base, ours, theirs });
  expect(
    hashes.map((hash) => built?.pages.get(hash) ?? rows.get(hash)).map((row) => `${row?.pageId} ${row?.updatedAt}`),
  ).toEqual([
    "a 2026-01-02T00:00:00.000Z",
    "b 2026-01-03T00:00:00.000Z",
    "c 2026-01-03T00:00:00.000Z",
    `d ${now.toISOString()}`,
    "m 2026-01-03T00:00:00.000Z",
    "n 2026-01-02T00:00:00.000Z",
  ]);
  expect([...(built?.pages.values() ?? [])].map(({ pageId }) => pageId)).toEqual(["d"]);
});

it("building a merge refuses more or deeper pages than a content may have, if both sides together exceed the limit", async () => {
  const many = (prefix: string) => outline("a", ...Array.from({ length: 10_000 }, (_, index) => `  ${prefix}${index}`));
  const wide = { base: revision(outline("a")), ours: revision(many("o")), theirs: revision(many("t")) };
  const merged = await merge(wide, [], "ours");
  expect(() => merged.pages && buildPages(merged.pages, now)).toThrow("a content may have at most 20000 pages");

  const chain = (length: number, prefix: string, from = 0) =>
    Array.from({ length }, (_, level) => `${"  ".repeat(level + from)}${prefix}${level}`);
  const low = [...chain(12, "x"), ...chain(12, "y")];
  const base = revision(outline(...low));
  const ours = revision(outline(...low, ...chain(8, "z", 12)));
  const theirs = revision(outline("w", ...chain(12, "v", 1), ...chain(12, "x"), ...chain(12, "y")));
  const deep = { base, ours, theirs };
  expect(outlineOf(outline(...low))).toHaveLength(24);
  const fits = await merge(deep, [], "ours");
  expect(fits.pages && buildPages(fits.pages, now).treeHash).not.toBeNull();
  const below = revision(outline("w", "  w1", ...chain(12, "x"), ...chain(12, "y", 2)));
  const moved = await merge(
    {
      base: revision(outline("w", "  w1", ...low)),
      ours: revision(outline("w", "  w1", ...low, ...chain(8, "z", 12))),
      theirs: below,
    },
    [],
    "ours",
  );
  expect(() => moved.pages && buildPages(moved.pages, now)).toThrow("pages may have at most 20 levels");
});
