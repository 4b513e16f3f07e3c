// The documents that both sides of a merge changed: merged by text, each conflict settled by a choice or told.
import type { Settlement } from "#src/features/content/commands/merge/conflicts.ts";
import { mergeText, type Piece } from "#src/features/content/commands/merge/text.ts";

/** A page whose document both sides changed, with the hashes of its three states; null for an empty one. */
export interface DocumentMerge {
  readonly page: string;
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The text of a document, given its hash. */
export type TextOf = (hash: string) => string;

/** The merged texts by page. Where a conflict stays open (see the settlement) the text has ours in its place. */
export function mergeDocuments(
  documents: readonly DocumentMerge[],
  textOf: TextOf,
  settlement: Settlement,
): Map<string, string> {
  const read = (hash: string | null) => (hash === null ? "" : textOf(hash));
  return new Map(
    documents.map(({ page, base, ours, theirs }) => {
      const merge = mergeText(read(base), read(ours), read(theirs));
      return [page, "merged" in merge ? merge.merged : settled(page, merge.pieces, settlement)];
    }),
  );
}

function settled(page: string, pieces: readonly Piece[], settlement: Settlement): string {
  const seen = new Map<string, number>();
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const key = JSON.stringify([piece.base, piece.ours, piece.theirs]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const choice = settlement.settle({ kind: "document", page, occurrence, ...piece }, true) ?? "ours";
    return typeof choice === "string" ? piece[choice] : choice.text;
  });
  return texts.join("");
}
