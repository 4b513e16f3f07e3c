// Three-way merge of page trees by page id: existence, parent, order, fields and document of each page.
import { isDeepStrictEqual } from "node:util";
import {
  type Choices,
  chosen,
  mapSides,
  mergeFields,
  otherSide,
  type Side,
  threeWay,
} from "#src/features/content/model/merge/sides.ts";
import {
  type Merging,
  type SettlementState,
  type PageNode,
  type Settlement,
  settlementWith,
  type Trees,
} from "#src/features/content/model/merge/merging.ts";
import { settlePositions, settleSlugs } from "#src/features/content/model/merge/places.ts";
import { arrangeSiblings } from "#src/features/content/model/merge/order.ts";

/**
 * Never loses a page that only one side created: undecidable cases are conflicts, resolved by choices, which can cause
 * others. A deletion wins over a new order. While conflicts are open, the pages are a draft with our versions.
 */
export function mergePages(trees: Trees, settlement: Settlement): Merging {
  const merging: Merging = {
    ...trees,
    settlement,
    pages: new Map(trees.ours),
    documents: new Map(),
    changed: new Set(),
    saved: new Map(),
    givenUp: new Set(),
  };
  const { base, ours, theirs } = trees;
  for (const page of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) mergePage(merging, page);
  restoreBelow(merging);
  settlePositions(merging);
  settleSlugs(merging);
  arrangeSiblings(merging);
  return merging;
}

export interface MergedTree extends Pick<Merging, "pages" | "documents"> {
  readonly settlement: SettlementState;
}

export function mergeTrees(trees: Trees, choices: Choices): MergedTree {
  const settlement = settlementWith(choices);
  const { pages, documents } = mergePages(trees, settlement);
  return { pages, documents, settlement: settlement.state() };
}

function mergePage(merging: Merging, page: string): void {
  const { base, ours, theirs } = mapSides(merging, (pages) => pages.get(page));
  const left = ours ?? theirs;
  if (base && [ours, theirs].every((side) => side && isSame(base, side))) return;
  merging.changed.add(page);
  if (ours && theirs) merging.pages.set(page, mergeBoth(merging, page, { base, ours, theirs }));
  else if (base && left) mergeDeleted(merging, page, { base, left, deletedBy: ours ? "theirs" : "ours" });
  else if (left) merging.pages.set(page, left);
}

type Deletion = { readonly base: PageNode; readonly left: PageNode; readonly deletedBy: Side };

/** One side deleted the page. It stays deleted if the other side did not change it. */
function mergeDeleted(merging: Merging, page: string, { base, left, deletedBy }: Deletion): void {
  const { pages, saved, givenUp, settlement } = merging;
  if (isSame(base, left)) pages.delete(page);
  else if (settlement.settle({ kind: "deleted-edited", page, deletedBy }) === deletedBy) {
    pages.delete(page);
    givenUp.add(page);
  } else {
    pages.set(page, left);
    saved.set(page, otherSide(deletedBy));
  }
}

/** Whether a page is the same under the same parent; its position among its siblings is merged separately. */
function isSame(one: PageNode, other: PageNode): boolean {
  if (one === other) return true;
  if (one.parent !== other.parent) return false;
  if (one.subtree !== undefined && one.subtree === other.subtree) return true;
  return one.document === other.document && isDeepStrictEqual(one.fields, other.fields);
}

function mergeBoth(
  { settlement, documents }: Merging,
  page: string,
  nodes: { base: PageNode | undefined; ours: PageNode; theirs: PageNode },
): PageNode {
  const { base, ours, theirs } = nodes;
  const fields = mergeFields({ base: base?.fields, ours: ours.fields, theirs: theirs.fields }, (clash) =>
    settlement.settle({ kind: "field", page, ...clash }),
  );
  // A page that is new on both sides has undefined as parent and document in the base, which differs from null.
  const parents = mapSides<PageNode | undefined, string | null | undefined>(nodes, (node) => node?.parent);
  const parent = threeWay(parents, () =>
    chosen(settlement.settle({ kind: "both-moved", page, ...mapSides(parents, orNull) }), parents),
  );
  const hashes = mapSides<PageNode | undefined, string | null | undefined>(nodes, (node) => node?.document);
  const document = threeWay(hashes, () => {
    documents.set(page, mapSides(hashes, orNull));
    return ours.document;
  });
  return { parent: orNull(parent), position: ours.position, fields, document: orNull(document) };
}

const orNull = (value: string | null | undefined): string | null => value ?? null;

/** If a page stays although one side deleted it, restores the subpages that this side deleted with it. */
function restoreBelow(merging: Merging): void {
  const { base, pages, saved, givenUp } = merging;
  if (saved.size === 0) return;
  for (const side of ["ours", "theirs"] as const) {
    const tree = merging[side];
    const children = Map.groupBy(tree, ([, { parent }]) => parent);
    const roots = [...saved].filter(([, by]) => by === side).map(([page]) => page);
    for (const root of roots)
      for (const [page, node] of children.get(root) ?? []) {
        if (pages.has(page) || givenUp.has(page) || !base.has(page)) continue;
        pages.set(page, node);
        saved.set(page, side);
        roots.push(page);
      }
  }
}
