// A document that both sides of a merge changed, merged as text. Each conflict is settled by a choice, or stays open.
import { type Choice, chosen, mapSides, type Sides } from "#src/features/content/model/merge/sides.ts";
import { mergeText, type Piece, type TextConflict } from "#src/features/content/model/merge/text.ts";

/** The hashes of the three states of a document; null for an empty one. */
export type DocumentSides = Sides<string | null>;

/** The text of a document, given its hash. */
export type TextOf = (hash: string) => string;

/** A conflict in a document; `occurrence` numbers those with the same texts: 0 for the first. */
export type DocumentPlace = TextConflict & { readonly occurrence: number };

/** The merged text. Where `settle` leaves a conflict open the text has ours in its place. */
export function mergeDocument(
  hashes: DocumentSides,
  textOf: TextOf,
  settle: (place: DocumentPlace) => Choice | undefined,
): string {
  const { base, ours, theirs } = mapSides(hashes, (hash) => (hash === null ? "" : textOf(hash)));
  const merge = mergeText(base, ours, theirs);
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
