// What a merge cannot decide by itself: the kinds of conflicts, and the choices that settle them.
import type { Json, Side, Sides } from "#src/features/content/model/merge/sides.ts";
import type { DocumentPlace } from "#src/features/content/model/merge/text.ts";

interface Deleted {
  readonly deletedBy: Side;
}

/** Something about a page. */
type OfPage<Kind extends string> = { readonly kind: Kind; readonly page: string };

/** Something about a text that pages share. */
type OfReusable<Kind extends string> = { readonly kind: Kind; readonly reusableContent: string };

export type Disagreement =
  /** Both sides set one field to different values, undefined without it; `colour.red` is the key `red` of `colour`. */
  | (OfPage<"field"> & Sides<Json | undefined> & { readonly field: string })
  /** Both sides changed the same lines. */
  | (OfPage<"document"> & DocumentPlace)
  /** The other side edited or moved the page; choosing that restores it with those below it. */
  | (OfPage<"deleted-edited"> & Deleted)
  /** To different parents; null is the top level. */
  | (OfPage<"both-moved"> & Sides<string | null>)
  /**
   * The other side created or moved the page below the deleted parent. Choosing the side that deleted it leaves the
   * page where that side has it (nowhere when it is new); choosing the other restores the parent.
   */
  | (OfPage<"into-deleted"> & Deleted & { readonly parent: string })
  /** The moves of both sides put these pages below each other in a circle. The chosen side decides their parents. */
  | (OfPage<"cycle"> & { readonly pages: readonly string[] })
  /**
   * Two pages of one parent, with their ids. That of the chosen side keeps the slug, the other one gets a number added;
   * a text is the new slug for the page of ours.
   */
  | (OfPage<"slug"> & Record<"slug" | "ours" | "theirs", string> & { readonly parent: string | null })
  /** Contradicting orders of the same siblings. `page` is the parent, null for the top level. */
  | ({ readonly kind: "order"; readonly page: string | null } & Sides<readonly string[]>)
  /** Both sides set a variable of the whole content to different values, undefined without it. */
  | ({ readonly kind: "variable"; readonly name: string } & Sides<string | undefined>)
  | (OfReusable<"reusable-title"> & Sides<string | undefined>)
  | (OfReusable<"reusable-document"> & DocumentPlace)
  | (OfReusable<"reusable-deleted-edited"> & Deleted);

/**
 * A disagreement with its id: a hash of everything that the conflict shows but line numbers. So a choice fits the
 * conflict that the person saw, and no longer once either side has changed there. A conflict can stay open although
 * there is a choice, when that contradicts another one (a page restored below a page that is to be deleted).
 */
export type Conflict = Disagreement & { readonly id: string };
