// Three-way merge of documents, line by line, with git's idea of a conflict: different changes that touch or overlap.
import { type Change, changesBetween, type Effort, linesOf } from "#src/base/text/lines.ts";
import { type Choice, chosen, mapSides, type Sides, unmerged } from "#src/features/content/model/merge/sides.ts";

/** A range in which both sides changed the same lines in different ways. Line numbers start at 1. */
interface TextConflict extends Sides<string> {
  readonly baseLine: number;
  readonly oursLine: number;
  readonly theirsLine: number;
}

type Piece = string | TextConflict;

export type TextMerge =
  | { readonly merged: string }
  | { readonly conflicts: readonly TextConflict[]; readonly pieces: readonly Piece[] };

/**
 * Conflicts exactly if changes touch, like `git merge-file`; texts that differ too much (`changesBetween`) are one
 * conflict. Line endings are merged as one property of the document (Git would see every line changed).
 */
export function mergeText(base: string, ours: string, theirs: string): TextMerge {
  return mergeWith("full", { base, ours, theirs }, asOneConflict);
}

/** The same within some milliseconds; undefined if it would take longer. */
export const mergeTextQuickly = (texts: Sides<string>): TextMerge | undefined =>
  mergeWith("quick", texts, () => undefined);

const asOneConflict = (texts: Sides<string>): TextMerge =>
  ofPieces([{ ...texts, baseLine: 1, oursLine: 1, theirsLine: 1 }]);

function mergeWith<Otherwise extends TextMerge | undefined>(
  effort: Effort,
  texts: Sides<string>,
  otherwise: (texts: Sides<string>) => Otherwise,
): TextMerge | Otherwise {
  const { base, ours, theirs } = texts;
  if (ours === theirs || theirs === base || ours === base) return { merged: unmerged(texts) };
  const endings = mapSides(texts, endingOf);
  const known = new Set(Object.values(endings).filter((ending) => ending !== undefined));
  if (endings.base === undefined || known.size < 2 || known.has("mixed"))
    return mergeLines(effort, texts) ?? otherwise(texts);
  const plain = mapSides(texts, (text) => text.replaceAll("\r\n", "\n"));
  const merge = mergeWith(effort, plain, otherwise);
  const ending = unmerged(mapSides(endings, (own) => own ?? endings.base));
  return merge && ending === "\r\n" ? withCarriageReturns(merge) : merge;
}

/** The line endings of a text; undefined if it has only one line. */
function endingOf(text: string): "\n" | "\r\n" | "mixed" | undefined {
  const returns = text.match(/\r\n/g)?.length ?? 0;
  const newlines = text.match(/\n/g)?.length ?? 0;
  if (newlines === 0) return undefined;
  if (returns === 0) return "\n";
  return returns === newlines ? "\r\n" : "mixed";
}

function withCarriageReturns(merge: TextMerge): TextMerge {
  const written = (text: string) => text.replaceAll("\n", "\r\n");
  if ("merged" in merge) return { merged: written(merge.merged) };
  return ofPieces(
    merge.pieces.map((piece) =>
      typeof piece === "string" ? written(piece) : { ...piece, ...mapSides(piece, written) },
    ),
  );
}

function ofPieces(pieces: readonly Piece[]): TextMerge {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else if (piece !== "") joined.push(piece);
  }
  const conflicts = joined.filter((piece) => typeof piece !== "string");
  if (conflicts.length > 0) return { conflicts, pieces: joined };
  return { merged: typeof joined[0] === "string" ? joined[0] : "" };
}

function mergeLines(effort: Effort, texts: Sides<string>): TextMerge | undefined {
  const lines = mapSides(texts, linesOf);
  const ourChanges = changesBetween(lines.base, lines.ours, effort);
  const theirChanges = ourChanges && changesBetween(lines.base, lines.theirs, effort);
  if (!ourChanges || !theirChanges) return undefined;

  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to, our, their } of overlaps(ourChanges, theirChanges)) {
    pieces.push(lines.base.slice(at, from).join(""));
    at = to;
    const conflict = {
      base: lines.base.slice(from, to).join(""),
      ours: lines.ours.slice(our.from, our.to).join(""),
      theirs: lines.theirs.slice(their.from, their.to).join(""),
      baseLine: from + 1,
      oursLine: our.from + 1,
      theirsLine: their.from + 1,
    };
    if (!their.isChanged || conflict.ours === conflict.theirs) pieces.push(conflict.ours);
    else pieces.push(our.isChanged ? conflict : conflict.theirs);
  }
  pieces.push(lines.base.slice(at).join(""));
  return ofPieces(pieces);
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly isChanged: boolean;
}

/** Joins changes of both sides that touch, with the lines of each side there. */
function* overlaps(ours: readonly Change[], theirs: readonly Change[]) {
  const ourSide = sideOf(ours);
  const theirSide = sideOf(theirs);
  for (;;) {
    const first = Math.min(ourSide.nextFrom(), theirSide.nextFrom());
    if (first === Infinity) return;
    let to = first;
    // Each change that starts before the common end may extend it.
    for (let grown = true; grown;) {
      const furthest = Math.max(ourSide.takeUpTo(to), theirSide.takeUpTo(to));
      grown = furthest > to;
      to = Math.max(to, furthest);
    }
    yield { from: first, to, our: ourSide.part(first, to), their: theirSide.part(first, to) };
  }
}

/** Iterates over the changes of one side, and tracks the offset of its lines from the base. */
function sideOf(changes: readonly Change[]) {
  let taken = 0;
  let given = 0;
  const shiftAfter = (count: number) => {
    const last = changes[count - 1];
    return last ? last.otherTo - last.to : 0;
  };
  return {
    nextFrom: () => changes[taken]?.from ?? Infinity,
    takeUpTo(place: number): number {
      while ((changes[taken]?.from ?? Infinity) <= place) place = Math.max(place, changes[taken++]?.to ?? 0);
      return place;
    },
    part(from: number, to: number): Part {
      const part = { from: from + shiftAfter(given), to: to + shiftAfter(taken), isChanged: taken > given };
      given = taken;
      return part;
    },
  };
}

export type DocumentSides = Sides<string | null>;

/** A conflict in a document; `occurrence` numbers those with the same texts: 0 for the first. */
export type DocumentPlace = TextConflict & { readonly occurrence: number };

/** The merged text, with our version of each conflict that `settle` leaves open. */
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
