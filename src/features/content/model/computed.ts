// Computed pages in a tree: pages of the type computed that users wrote, and the pages generated below them, which have
// this type, too. All are stored like other pages; generated ones cannot be edited.
import { lookup } from "#src/base/lookup.ts";
import type { NewPage, PageComputed, PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";

/** The result of a computed page. `made` names its source, and is null if the source does not exist. */
export interface MadeContent {
  readonly made: string | null;
  readonly text: string;
  /** All of the type computed, with ids that are stable across computations. */
  readonly pages: readonly NewPage[];
}

export const isMadeBelow = (
  { type }: Pick<PageState, "type">,
  parent: Pick<PageState, "type"> | null | undefined,
): boolean => type === "computed" && parent?.type === "computed";

export const isSameSource = (one: PageComputed | undefined, other: PageComputed | undefined): boolean =>
  one?.type === other?.type && one?.spec === other?.spec && one?.doc === other?.doc;

/** A page as a user wrote it, without its computed parts. */
export function unmade<State extends Pick<PageState, "type" | "fields" | "documentHash">>(page: State): State {
  if (page.type !== "computed" || !page.fields.computed) return page;
  const { made: _made, ...computed } = page.fields.computed;
  return { ...page, fields: { ...page.fields, computed }, documentHash: null };
}

export const computedPagesIn = ({ byId }: PageTree): PageRow[] =>
  [...byId.values()].filter((page) => page.type === "computed" && !isMadeBelow(page, lookup(byId, page.parentId)));

const written = new WeakMap<PageTree, PageTree>();

/** A tree as users wrote it, without computed parts. Pages keep their hashes, which include the computed parts. */
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
