// What a merge of page trees works on: the pages of the three sides, and what has come of them so far.
import type { Side, Sides } from "#src/features/content/model/merge/sides.ts";
import type { DocumentSides } from "#src/features/content/model/merge/documents.ts";
import type { Settlement } from "#src/features/content/model/merge/settlement.ts";
import type { Fields } from "#src/features/content/model/merge/values.ts";

/** A page as the merge sees it. */
export interface PageNode {
  /** The page around it; null at the top. */
  readonly parent: string | null;
  /** Its place among its siblings; any numbers that give the order. */
  readonly position: number;
  /** Everything but its document; `slug` is one of them. Times are left out: they follow from edits. */
  readonly fields: Fields;
  /** The hash of its document; null for an empty one. */
  readonly document: string | null;
  /** A hash of the page with everything below it, ids included: where it is equal on all sides, nothing is compared. */
  readonly subtree?: string;
}

/**
 * Pages by id. Pages below one whose `subtree` is equal on all three sides may be left out on all three: they stay as
 * they are. So with `differingPages`, which leaves them out, the cost depends on what changed, not on the size of the
 * tree.
 */
export type PagesById = ReadonlyMap<string, PageNode>;

/** The pages of the three revisions. */
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
