// What is computed in a tree of pages: the pages of the type computed, and the pages that were made below them, which
// are of this type, too. All of them are stored like other pages; nobody edits what was made.
import type { NewPage, PageComputed, PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";

/** What a computed page becomes. `made` names what it was made from, and is null where that is not there. */
export interface MadeContent {
  readonly made: string | null;
  readonly text: string;
  /** Of the type computed, all of them, with ids that are the same whenever they are made. */
  readonly pages: readonly NewPage[];
}

export const isMadeBelow = (
  { type }: Pick<PageState, "type">,
  parent: Pick<PageState, "type"> | null | undefined,
): boolean => type === "computed" && parent?.type === "computed";

export const isSameSource = (one: PageComputed | undefined, other: PageComputed | undefined): boolean =>
  one?.type === other?.type && one?.spec === other?.spec && one?.doc === other?.doc;

/** What is known of a page that somebody wrote, without what was made of it. */
export function unmade<State extends Pick<PageState, "type" | "fields" | "documentHash">>(page: State): State {
  if (page.type !== "computed" || !page.fields.computed) return page;
  const { made: _made, ...computed } = page.fields.computed;
  return { ...page, fields: { ...page.fields, computed }, documentHash: null };
}

export const computedPagesIn = ({ byId }: PageTree): PageRow[] =>
  [...byId.values()].filter((page) => page.type === "computed" && !isMadeBelow(page, byId.get(page.parentId ?? "")));

const written = new WeakMap<PageTree, PageTree>();

/** A tree as it was written, without what was made. The pages keep their hashes, which say what was made, too. */
export function asWritten(tree: PageTree): PageTree {
  const known = written.get(tree);
  if (known) return known;
  const stripped = hasComputed(tree) ? strip(tree) : tree;
  written.set(tree, stripped);
  return stripped;
}

function hasComputed({ byId }: PageTree): boolean {
  for (const { type } of byId.values()) if (type === "computed") return true;
  return false;
}

function strip(tree: PageTree): PageTree {
  const byId = new Map<string, PageRow>();
  const keep = ({ childrenHash: _all, ...page }: PageRow): PageRow => {
    const pages = page.pages.filter((below) => !isMadeBelow(below, page)).map(keep);
    const kept = { ...unmade(page), pages };
    byId.set(page.pageId, kept);
    return kept;
  };
  return { pages: tree.pages.map(keep), byId };
}
