// The order of merged pages under each parent, computed only for parents that a side changed.
import type { Merging, PageNode, PagesById } from "#src/features/content/model/merge/merging.ts";
import { mapSides, type Sides } from "#src/features/content/model/merge/sides.ts";

/**
 * For each pair of common siblings, a swap on either side wins; `onConflict` decides if no order satisfies all pairs. A
 * new page follows its preceding sibling on the side that added it; theirs come first, because they are older.
 */
function mergeOrder(
  orders: Sides<readonly string[]>,
  kept: ReadonlySet<string>,
  onConflict: () => "ours" | "theirs",
): string[] {
  const sets = mapSides(orders, (order) => new Set(order));
  const stays = (page: string) => kept.has(page) && sets.base.has(page) && sets.ours.has(page) && sets.theirs.has(page);
  const staying = mapSides(orders, (order) => order.filter(stays));
  const merged = mergeStaying(staying) ?? staying[onConflict()];
  const isHere = (page: string) => kept.has(page);
  const withTheirs = withFollowers(merged, orders.theirs.filter(isHere), new Set(merged));
  const anchors = new Set(withTheirs.filter((page) => sets.ours.has(page)));
  return withFollowers(withTheirs, orders.ours.filter(isHere), anchors);
}

/** The order that satisfies every pair; undefined if none does. All three contain the same pages. */
function mergeStaying({ base, ours, theirs }: Sides<readonly string[]>): readonly string[] | undefined {
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
  if (isSame(ours, base)) return theirs;
  const before = countBefore(placesIn(ours, base), placesIn(theirs, base));
  // The pairs are consistent exactly if each page has a different number of pages before it.
  const merged: (string | undefined)[] = Array.from({ length: base.length });
  for (const [index, page] of base.entries()) merged[before[index] ?? 0] = page;
  return merged.every((page) => page !== undefined) ? merged : undefined;
}

/** The number of pages before each one, from their positions: a pair is swapped if it is on either side. */
function countBefore(ours: Uint32Array, theirs: Uint32Array): Uint32Array {
  const before = new Uint32Array(ours.length);
  const isTurned = (places: Uint32Array, one: number, other: number) => (places[one] ?? 0) > (places[other] ?? 0);
  for (let one = 0; one < before.length; one++)
    for (let other = one + 1; other < before.length; other++) {
      const later = isTurned(ours, one, other) || isTurned(theirs, one, other) ? one : other;
      before[later] = (before[later] ?? 0) + 1;
    }
  return before;
}

const isSame = (one: readonly string[], other: readonly string[]) => one.every((page, index) => page === other[index]);

function placesIn(order: readonly string[], base: readonly string[]): Uint32Array {
  const places = new Map(order.map((page, index) => [page, index]));
  return Uint32Array.from(base, (page) => places.get(page) ?? 0);
}

/** Inserts the pages of `source` that are not in `anchors` after the anchor that they follow there. */
function withFollowers(order: readonly string[], source: readonly string[], anchors: ReadonlySet<string>): string[] {
  const followers = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const page of source) {
    const behind = followers.get(anchor);
    if (anchors.has(page)) anchor = page;
    else if (behind) behind.push(page);
    else followers.set(anchor, [page]);
  }
  const merged: string[] = [];
  anchor = undefined;
  for (const page of order) {
    if (anchors.has(page)) {
      merged.push(...(followers.get(anchor) ?? []));
      anchor = page;
    }
    merged.push(page);
  }
  return [...merged, ...(followers.get(anchor) ?? [])];
}

/** Gives the pages under each changed parent the positions 0, 1, 2 … of the merged order. */
export function arrangeSiblings(merging: Merging): void {
  const { pages, settlement } = merging;
  const parents = changedParents(merging);
  if (parents.size === 0) return;
  const sides = mapSides(merging, (tree) => ordersIn(tree, parents));
  for (const [parent, kept] of ordersIn(pages, parents)) {
    const orders = mapSides(sides, (side) => side.get(parent) ?? []);
    const merged = mergeOrder(orders, new Set(kept), () =>
      settlement.settle({ kind: "order", page: parent, ...orders }) === "theirs" ? "theirs" : "ours",
    );
    for (const [position, page] of merged.entries()) {
      const node = pages.get(page);
      if (node && node.position !== position) pages.set(page, { ...node, position });
    }
  }
}

function changedParents({ base, ours, theirs, pages }: Merging): Set<string | null> {
  const parents = new Set<string | null>();
  const compare = (page: string) => {
    const nodes = [base.get(page), ours.get(page), theirs.get(page), pages.get(page)];
    const [first, ...others] = nodes;
    if (others.every((node) => isAtSamePlace(first, node))) return;
    for (const node of nodes) if (node) parents.add(node.parent);
  };
  for (const tree of [base, ours, theirs]) for (const page of tree.keys()) compare(page);
  return parents;
}

function isAtSamePlace(one: PageNode | undefined, other: PageNode | undefined): boolean {
  return one === other || (one?.parent === other?.parent && one?.position === other?.position);
}

function ordersIn(tree: PagesById, parents: ReadonlySet<string | null>): Map<string | null, string[]> {
  const placed = [...tree].filter(([, { parent }]) => parents.has(parent));
  const inOrder = placed.toSorted(([, one], [, other]) => one.position - other.position);
  const levels = Map.groupBy(inOrder, ([, { parent }]) => parent);
  return new Map([...levels].map(([parent, siblings]) => [parent, siblings.map(([page]) => page)]));
}
