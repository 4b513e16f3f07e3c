// From the page trees of three revisions to what is merged: only the pages that can differ.
import type { PageNode, PagesById, Trees } from "#src/features/content/model/merge/merging.ts";
import type { Sides } from "#src/features/content/model/merge/sides.ts";
import type { Fields } from "#src/features/content/model/merge/values.ts";
import type { PageRow, PageTree } from "#src/features/content/model/page.ts";

/**
 * The pages of three revisions for `mergePages`, from the top down; what is below a page that has the same hash in all
 * three is left out, and stays as it is. Title, slug and type are fields like the others; times are left out, they
 * follow from edits.
 */
export function differingPages(trees: Sides<PageTree>): Trees {
  const { base, ours, theirs } = trees;
  const isEqual = ({ pageId, hash }: PageRow) =>
    [base, ours, theirs].every(({ byId }) => byId.get(pageId)?.hash === hash);
  return { base: walked(base, isEqual), ours: walked(ours, isEqual), theirs: walked(theirs, isEqual) };
}

function walked(tree: PageTree, isEqual: (row: PageRow) => boolean): PagesById {
  const pages = new Map<string, PageNode>();
  const add = (rows: readonly PageRow[], parent: string | null) => {
    for (const [position, row] of rows.entries()) {
      pages.set(row.pageId, nodeOf(row, parent, position));
      if (!isEqual(row)) add(row.pages, row.pageId);
    }
  };
  add(tree.pages, null);
  return pages;
}

function nodeOf({ type, title, slug, fields, documentHash, hash }: PageRow, parent: string | null, position: number) {
  // The fields come from JSON: what their type allows to be undefined is not there.
  const plain = fields as unknown as Fields;
  return { parent, position, fields: { ...plain, type, title, slug }, document: documentHash, subtree: hash };
}
