// A document that both sides of a merge changed: merged by text, each conflict in it settled by a choice or told.
import type { Choice } from "#src/features/content/commands/merge/conflicts.ts";
import { mergeText, type Piece, type TextConflict } from "#src/features/content/commands/merge/text.ts";

/** The hashes of the three states of a document; null for an empty one. */
export interface DocumentSides {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The text of a document, given its hash. */
export type TextOf = (hash: string) => string;

/** A conflict in a document; `occurrence` tells those with the same texts apart: 0 for the first. */
export type DocumentPlace = TextConflict & { readonly occurrence: number };

/** The merged text. Where `settle` leaves a conflict open the text has ours in its place. */
export function mergeDocument(
  { base, ours, theirs }: DocumentSides,
  textOf: TextOf,
  settle: (place: DocumentPlace) => Choice | undefined,
): string {
  const read = (hash: string | null) => (hash === null ? "" : textOf(hash));
  const merge = mergeText(read(base), read(ours), read(theirs));
  return "merged" in merge ? merge.merged : settled(merge.pieces, settle);
}

function settled(pieces: readonly Piece[], settle: (place: DocumentPlace) => Choice | undefined): string {
  const seen = new Map<string, number>();
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const key = JSON.stringify([piece.base, piece.ours, piece.theirs]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const choice = settle({ occurrence, ...piece }) ?? "ours";
    return typeof choice === "string" ? piece[choice] : choice.text;
  });
  return texts.join("");
}
