// A document that both sides of a merge changed, merged as text. Each conflict is settled by a choice, or stays open.
import { type Choice, chosen, type Sides } from "#src/features/content/model/merge/sides.ts";
import type { Piece, TextConflict, TextMerge } from "#src/features/content/model/merge/text.ts";

/** The hashes of the three states of a document; null for an empty one. */
export type DocumentSides = Sides<string | null>;

/** A conflict in a document; `occurrence` numbers those with the same texts: 0 for the first. */
export type DocumentPlace = TextConflict & { readonly occurrence: number };

/** The merged text. Where `settle` leaves a conflict open the text has ours in its place. */
export function settleDocument(merge: TextMerge, settle: (place: DocumentPlace) => Choice | undefined): string {
  return "merged" in merge ? merge.merged : settled(merge.pieces, settle);
}

function settled(pieces: readonly Piece[], settle: (place: DocumentPlace) => Choice | undefined): string {
  const seen = new Map<string, number>();
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const key = JSON.stringify([piece.base, piece.ours, piece.theirs]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    return chosen(settle({ occurrence, ...piece }), piece);
  });
  return texts.join("");
}
