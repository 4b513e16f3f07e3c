// Three-way merge of page trees by the identity of pages: who is there, where, in which order, with which fields and document.
import { isDeepStrictEqual } from "node:util";
import { otherSide } from "#src/features/content/commands/merge/conflicts.ts";
import { mergeFields, threeWay } from "#src/features/content/commands/merge/fields.ts";
import { type Merging, type PageNode, type Trees, treeOf } from "#src/features/content/commands/merge/merging.ts";
import { settlePlaces, settleSlugs } from "#src/features/content/commands/merge/places.ts";
import type { Settlement } from "#src/features/content/commands/merge/settlement.ts";
import { arrangeSiblings } from "#src/features/content/commands/merge/siblings.ts";

/**
 * Merges what two sides made of one tree of pages, each side against their base; the choices of the settlement settle conflicts (see
 * `Conflict`). It never guesses and never loses a page that only one side created: what cannot be decided is a conflict. A choice can bring out
 * another conflict (a page put back where its slug is taken by now), which then is open. Deleting a page wins over merely reordering it. Says
 * nothing of what is inside `documents`. Only without open conflicts are its pages a result; with some they are a draft where each stands as in ours.
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
  for (const [page, was] of base) mergePage(merging, page, was, ours.get(page), theirs.get(page));
  for (const [page, our] of ours) if (!base.has(page)) mergePage(merging, page, undefined, our, theirs.get(page));
  for (const [page, their] of theirs)
    if (!base.has(page) && !ours.has(page)) mergePage(merging, page, undefined, undefined, their);
  restoreBelow(merging);
  settlePlaces(merging);
  settleSlugs(merging);
  arrangeSiblings(merging);
  return merging;
}

type Node = PageNode | undefined;

function mergePage(merging: Merging, page: string, was: Node, our: Node, their: Node): void {
  if (our && their) {
    if (was && isSame(was, our) && isSame(was, their)) return;
    merging.changed.add(page);
    merging.pages.set(page, mergeBoth(merging, page, was, our, their));
    return;
  }
  merging.changed.add(page);
  const left = our ?? their;
  if (!left) return;
  const deletedBy = was && otherSide(our ? "ours" : "theirs");
  if (!deletedBy) merging.pages.set(page, left);
  else if (isSame(was, left)) merging.pages.delete(page);
  else if (merging.settlement.settle({ kind: "deleted-edited", page, deletedBy }) === deletedBy) {
    merging.pages.delete(page);
    merging.givenUp.add(page);
  } else {
    merging.pages.set(page, left);
    merging.saved.set(page, otherSide(deletedBy));
  }
}

/** The same page at the same parent; its place among the siblings is merged with theirs. */
function isSame(one: PageNode, other: PageNode): boolean {
  if (one === other) return true;
  if (one.parent !== other.parent) return false;
  if (one.subtree !== undefined && one.subtree === other.subtree) return true;
  return one.document === other.document && isDeepStrictEqual(one.fields, other.fields);
}

function mergeBoth({ settlement, documents }: Merging, page: string, was: Node, our: PageNode, their: PageNode) {
  const fields = mergeFields(was?.fields, our.fields, their.fields, (clash) =>
    settlement.settle({ kind: "field", page, ...clash }),
  );
  const parent = threeWay<string | null | undefined>(was?.parent, our.parent, their.parent, () =>
    chosenParent(settlement, page, was?.parent ?? null, our, their),
  );
  const document = threeWay<string | null | undefined>(was?.document, our.document, their.document, () => {
    documents.set(page, { base: was?.document ?? null, ours: our.document, theirs: their.document });
    return our.document;
  });
  return { parent: parent ?? null, position: our.position, fields, document: document ?? null };
}

function chosenParent(settlement: Settlement, page: string, base: string | null, our: PageNode, their: PageNode) {
  const choice = settlement.settle({ kind: "both-moved", page, base, ours: our.parent, theirs: their.parent });
  return choice === "theirs" ? their.parent : our.parent;
}

/** A page that stays although one side deleted it brings back what that side deleted below it, but for pages that a choice gave up. */
function restoreBelow(merging: Merging): void {
  const { base, pages, saved, givenUp } = merging;
  if (saved.size === 0) return;
  for (const side of ["ours", "theirs"] as const) {
    const tree = treeOf(merging, side);
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
