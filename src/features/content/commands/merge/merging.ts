// What a merge of page trees works on: the pages of the three sides, and what has come of them so far.
import type { Side } from "#src/features/content/commands/merge/conflicts.ts";
import type { DocumentSides } from "#src/features/content/commands/merge/documents.ts";
import type { Settlement } from "#src/features/content/commands/merge/settlement.ts";
import type { Fields } from "#src/features/content/commands/merge/values.ts";

/** A page as the merge sees it. */
export interface PageNode {
  /** The page around it; null at the top. */
  readonly parent: string | null;
  /** Where it stands among its siblings; any numbers that give the order. */
  readonly position: number;
  /** Everything it has but its document, `slug` among them. Times that follow from edits do not belong here. */
  readonly fields: Fields;
  /** The hash of its document; null for an empty one. */
  readonly document: string | null;
  /** A hash of the page with everything below it, ids included: where it is equal on all sides, nothing is compared. */
  readonly subtree?: string;
}

/**
 * Pages by id. Those below a page whose `subtree` is equal on all three sides may be left out on all three: they stay as they are. So a
 * caller that walks down only where the hashes differ (`differingPages`) pays for what changed, not for the size of the tree.
 */
export type PagesById = ReadonlyMap<string, PageNode>;

/** The three states of one thing. */
export interface Sides<State> {
  readonly base: State;
  readonly ours: State;
  readonly theirs: State;
}

/** One part of each of the three states. */
export function eachOf<State, Part extends keyof State>(
  { base, ours, theirs }: Sides<State>,
  part: Part,
): Sides<State[Part]> {
  return { base: base[part], ours: ours[part], theirs: theirs[part] };
}

export type Trees = Sides<PagesById>;

/** A merge while it is made. */
export interface Merging extends Trees {
  readonly settlement: Settlement;
  readonly pages: Map<string, PageNode>;
  /** Documents that both sides changed, by their pages, to be merged by text; in `pages` they are those of ours. */
  readonly documents: Map<string, DocumentSides>;
  /** Pages that are not the same, or not in the same place, on all three sides. */
  readonly changed: Set<string>;
  /** Pages that stay although one side deleted them: the pages around them stay too. */
  readonly saved: Map<string, Side>;
  /** Pages that a choice leaves deleted although the other side edited them. */
  readonly givenUp: Set<string>;
}

/** The pages of one side. */
export function treeOf(trees: Trees, side: Side): PagesById {
  return side === "ours" ? trees.ours : trees.theirs;
}
