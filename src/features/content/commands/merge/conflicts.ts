// What a merge cannot decide, told so that a person can: the kinds of conflicts, and the choices that settle them.
import type { Json } from "#src/features/content/commands/merge/values.ts";

export type Side = "ours" | "theirs";

/** What a person decided: one of the sides, or a text of their own where the conflict is about a text; `at` is where that stands in the input. */
export type Choice = Side | { readonly text: string; readonly at?: string };

/** Choices by the id of the conflict that they settle. */
export type Choices = ReadonlyMap<string, Choice>;

/** Both sides set one field to different values; undefined stands for a field that is not there. `colour.red` is a key within a field. */
interface FieldConflict {
  readonly kind: "field";
  readonly page: string;
  readonly field: string;
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Both sides changed the same lines of a document; line numbers count from 1. */
interface DocumentConflict {
  readonly kind: "document";
  readonly page: string;
  /** Tells places with the same text in one document apart: 0 for the first. */
  readonly occurrence: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly baseLine: number;
  readonly oursLine: number;
  readonly theirsLine: number;
}

/** One side deleted a page that the other edited or moved. The side that kept it brings it back with the pages below it. */
interface DeletedEditedConflict {
  readonly kind: "deleted-edited";
  readonly page: string;
  readonly deletedBy: Side;
}

/** Both sides moved a page to different parents; null is the top level. */
interface BothMovedConflict {
  readonly kind: "both-moved";
  readonly page: string;
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/**
 * One side created a page below, or moved it to, a page that the other side deleted. The side that deleted the parent leaves the page where
 * that side has it (nowhere when it is new); the other brings the parent back.
 */
interface IntoDeletedConflict {
  readonly kind: "into-deleted";
  readonly page: string;
  readonly parent: string;
  readonly deletedBy: Side;
}

/** The moves of both sides together put these pages below each other in a circle. A side puts each back to where it has it. */
interface CycleConflict {
  readonly kind: "cycle";
  readonly page: string;
  readonly pages: readonly string[];
}

/**
 * Two pages under one parent came to the same slug. The side that is chosen keeps it, the page of the other gets a number added; a text is
 * the new slug for the page of ours.
 */
interface SlugConflict {
  readonly kind: "slug";
  readonly page: string;
  readonly parent: string | null;
  readonly slug: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Both sides put the same siblings in orders that contradict each other. `page` is the parent, null for the top level. */
interface OrderConflict {
  readonly kind: "order";
  readonly page: string | null;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Both sides set a variable of the whole content to different values; undefined stands for one that is not there. */
interface VariableConflict {
  readonly kind: "variable";
  readonly name: string;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** Both sides gave a reusable content different titles. */
interface ReusableTitleConflict {
  readonly kind: "reusable-title";
  readonly reusableContent: string;
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** Both sides changed the same lines of a reusable content. */
interface ReusableDocumentConflict extends Omit<DocumentConflict, "kind" | "page"> {
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
 * A disagreement with its id. The id is made from everything that the conflict shows but line numbers: as long as a person's choice is for
 * what they saw it fits, and once either side has gone on there it does not. A conflict can stay open in spite of a choice that contradicts
 * another one (a page put back below a page that is to be deleted): then one of the two has to be chosen otherwise.
 */
export type Conflict = Disagreement & { readonly id: string };

/** The other of the two sides. */
export function otherSide(side: Side): Side {
  return side === "ours" ? "theirs" : "ours";
}
