// The order of the pages of a merge below each parent: computed only where some side changed something.
import type { Merging, PageNode, PagesById } from "#src/features/content/model/merge/merging.ts";
import { mergeOrder } from "#src/features/content/model/merge/order.ts";
import { mapSides } from "#src/features/content/model/merge/sides.ts";

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

/** Parents with a child that is not in the same place on all sides and in the merge. */
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
