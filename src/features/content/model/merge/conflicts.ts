// What a merge cannot decide by itself: the kinds of conflicts, and the choices that settle them.
import type { DocumentPlace } from "#src/features/content/model/merge/text.ts";
import type { Json, Side, Sides } from "#src/features/content/model/merge/sides.ts";

/** Both sides set one field to different values, undefined without it; `colour.red` is the key `red` of `colour`. */
interface FieldConflict extends Sides<Json | undefined> {
  readonly kind: "field";
  readonly page: string;
  readonly field: string;
}

/** Both sides changed the same lines of a document. */
interface DocumentConflict extends DocumentPlace {
  readonly kind: "document";
  readonly page: string;
}

/** One side deleted a page that the other edited or moved. The side that kept it restores it with those below it. */
interface DeletedEditedConflict {
  readonly kind: "deleted-edited";
  readonly page: string;
  readonly deletedBy: Side;
}

/** Both sides moved a page to different parents; null is the top level. */
interface BothMovedConflict extends Sides<string | null> {
  readonly kind: "both-moved";
  readonly page: string;
}

/**
 * One side created or moved a page below a page that the other side deleted. Choosing the side that deleted the parent
 * leaves the page where that side has it (nowhere when it is new); choosing the other restores the parent.
 */
interface IntoDeletedConflict {
  readonly kind: "into-deleted";
  readonly page: string;
  readonly parent: string;
  readonly deletedBy: Side;
}

/** The moves of both sides put these pages below each other in a circle. The chosen side decides their parents. */
interface CycleConflict {
  readonly kind: "cycle";
  readonly page: string;
  readonly pages: readonly string[];
}

/**
 * Two pages of one parent got the same slug. The page of the chosen side keeps it, the other one gets a number added; a
 * text is the new slug for the page of ours.
 */
interface SlugConflict {
  readonly kind: "slug";
  readonly page: string;
  readonly parent: string | null;
  readonly slug: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Both sides put the same siblings in contradicting orders. `page` is the parent, null for the top level. */
interface OrderConflict extends Sides<readonly string[]> {
  readonly kind: "order";
  readonly page: string | null;
}

/** Both sides set a variable of the whole content to different values; undefined means that it is not there. */
interface VariableConflict extends Sides<string | undefined> {
  readonly kind: "variable";
  readonly name: string;
}

/** Both sides gave a reusable content different titles. */
interface ReusableTitleConflict extends Sides<string | undefined> {
  readonly kind: "reusable-title";
  readonly reusableContent: string;
}

/** Both sides changed the same lines of a reusable content. */
interface ReusableDocumentConflict extends DocumentPlace {
  readonly kind: "reusable-document";
  readonly reusableContent: string;
}

/** One side deleted a reusable content that the other edited. */
interface ReusableDeletedEditedConflict {
  readonly kind: "reusable-deleted-edited";
  readonly reusableContent: string;
  readonly deletedBy: Side;
}

export type Disagreement =
  | FieldConflict
  | DocumentConflict
  | DeletedEditedConflict
  | BothMovedConflict
  | IntoDeletedConflict
  | CycleConflict
  | SlugConflict
  | OrderConflict
  | VariableConflict
  | ReusableTitleConflict
  | ReusableDocumentConflict
  | ReusableDeletedEditedConflict;

/**
 * A disagreement with its id. The id is a hash of everything that the conflict shows but line numbers: a choice fits as
 * long as the conflict is the one that the person saw, and no longer once either side has changed there. A conflict can
 * stay open although there is a choice, when that contradicts another one (a page restored below a page that is to be
 * deleted): then one of the two has to be changed.
 */
export type Conflict = Disagreement & { readonly id: string };
