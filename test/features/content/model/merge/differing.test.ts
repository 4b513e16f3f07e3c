// Loading only the pages that can differ between three revisions: same merge result as with all pages.
import fc from "fast-check";
import { expect, it } from "vitest";
import { differingPages } from "#src/features/content/model/merge/content.ts";
import type { PagesById } from "#src/features/content/model/merge/merging.ts";
import type { PageRow, PageTree } from "#src/features/content/model/page.ts";
import { mergeTrees, outline, outlineOf } from "#test/features/content/model/merge/trees.ts";

/** The tree of a revision as reads return it; a page's hash is the outline of its subtree. */
function revision(pages: PagesById): PageTree {
  const byId = new Map<string, PageRow>();
  const rowsBelow = (parent: string | null): PageRow[] =>
    [...pages]
      .filter(([, node]) => node.parent === parent)
      .map(([pageId, { fields, document }]) => {
        const { slug, ...others } = fields;
        if (typeof slug !== "string") throw new Error("no slug");
        const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" } as const;
        const rows = rowsBelow(pageId);
        const hash = JSON.stringify([pageId, fields, document, rows.map((row) => row.hash)]);
        const state = { pageId, type: "document", title: "T", slug, fields: others } as const;
        const row: PageRow = {
          ...state,
          documentHash: document,
          ...times,
          hash,
          parentId: parent,
          path: "",
          pages: rows,
        };
        byId.set(pageId, row);
        return row;
      });
  return { pages: rowsBelow(null), byId };
}

it("the pages of a merge omit descendants of pages that are equal in all three revisions", () => {
  const base = outline("a", "  b", "    c", "d", "  e", "    f", "  g");
  const theirs = outline("a", "  b", "    c", "d", "  e", "    f", "  g =new");
  const trees = differingPages({ base: revision(base), ours: revision(base), theirs: revision(theirs) });
  expect([...trees.theirs.keys()]).toEqual(["a", "d", "e", "g"]);
  expect([...trees.ours.keys()]).toEqual(["a", "d", "e", "g"]);
  const { pages, conflicts } = mergeTrees(trees);
  expect(conflicts).toEqual([]);
  expect(pages.get("g")).toMatchObject({
    parent: "d",
    document: "new",
    fields: { slug: "g", title: "T", type: "document" },
  });
});

it("a merge of only the differing pages has the same conflicts and pages as with whole trees", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  /** Each page is below an earlier one or at the top; some have a document, some are missing. */
  const plan = fc.tuple(fc.tuple(...names.map((_, index) => fc.nat(index))), fc.subarray(names), fc.subarray(names));
  const built = ([parents, written, gone]: [number[], string[], string[]]) => {
    const pages = outline();
    for (const [index, id] of names.entries()) {
      const parent = names[(parents[index] ?? 0) - 1] ?? null;
      if (gone.length < 3 && (gone.includes(id) || (parent !== null && !pages.has(parent)))) continue;
      pages.set(id, {
        parent,
        position: index,
        fields: { slug: id, title: "T", type: "document" },
        document: written.includes(id) ? "x" : null,
      });
    }
    return pages;
  };
  fc.assert(
    fc.property(plan, plan, plan, (one, two, three) => {
      const [base, ours, theirs] = [built(one), built(two), built(three)];
      const whole = mergeTrees({ base, ours, theirs });
      const trees = differingPages({ base: revision(base), ours: revision(ours), theirs: revision(theirs) });
      const part = mergeTrees(trees);
      expect(part.conflicts.map(({ id }) => id).toSorted()).toEqual(whole.conflicts.map(({ id }) => id).toSorted());
      const all = new Map([...whole.pages].filter(([id]) => !part.pages.has(id)));
      expect(outlineOf(new Map([...all, ...part.pages])).map((line) => line.split(" title")[0])).toEqual(
        outlineOf(whole.pages).map((line) => line.split(" title")[0]),
      );
    }),
    { numRuns: 1_000, seed: 3 },
  );
});
