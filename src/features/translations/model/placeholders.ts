// The segments for engines: `<x id="1"/>` replaces untranslatable parts, and `<g id="2">…</g>` surrounds marked or
// linked text. Engines that know HTML (Apertium, LibreTranslate) keep such tags; models know them from XLIFF.

/** Text, or a placeholder. */
export type Piece = string | Placeholder;

interface Placeholder {
  readonly id: number;
  /** The translated content; null for `<x/>`. */
  readonly inside: readonly Piece[] | null;
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string")
        return piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      const { id, inside } = piece;
      return inside === null ? `<x id="${id}"/>` : `<g id="${id}">${textOf(inside)}</g>`;
    })
    .join("");
}

function wordsOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : wordsOf(piece.inside ?? []))).join(" ");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function decoded(text: string): string {
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6})|#[xX]([\da-fA-F]{1,5}));/g, (all, ...found) => {
    const [name, decimal, hexadecimal] = found as (string | undefined)[];
    if (name !== undefined) return entities[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return code >= 32 && code < 0xd800 ? String.fromCharCode(code) : all;
  });
}

/** Tags in the forms of engines: with other quotes or spaces, or `<x id="1"></x>`. */
const tags = /<\s*(?:([xg])\s+id\s*=\s*["']?(\d{1,6})["']?\s*(\/?)|\/\s*([xg]))\s*>/gi;

/** The pieces of a result; a string is its fault. */
function readPieces(text: string): readonly Piece[] | string {
  const root: Piece[] = [];
  const open: { id: number; kind: string; inside: Piece[] }[] = [];
  let at = 0;
  const addText = (end: number): boolean => {
    const between = text.slice(at, end);
    if (between !== "") (open.at(-1)?.inside ?? root).push(decoded(between));
    return !/<[a-z/!?]/i.test(between);
  };
  for (const { 0: tag, index, 1: begun, 2: id, 3: isWhole, 4: ended } of text.matchAll(tags)) {
    if (!addText(index)) return "it has markup that the source does not have";
    at = index + tag.length;
    const kind = (begun ?? ended ?? "").toLowerCase();
    if (begun !== undefined && isWhole === "") open.push({ id: Number(id), kind, inside: [] });
    else if (begun !== undefined)
      (open.at(-1)?.inside ?? root).push({ id: Number(id), inside: kind === "x" ? null : [] });
    else {
      const last = open.pop();
      if (last?.kind !== kind) return "its placeholders are not properly nested";
      if (kind === "x" && last.inside.length > 0) return `it has text in placeholder ${last.id}, which must be empty`;
      (open.at(-1)?.inside ?? root).push({ id: last.id, inside: kind === "x" ? null : last.inside });
    }
  }
  if (!addText(text.length)) return "it has markup that the source does not have";
  return open.length > 0 ? `placeholder ${open[0]?.id} is not closed` : root;
}

/** The placeholders of pieces: for each id the parent (0 for none) with the kind, and whether it has words. */
function* placed(pieces: readonly Piece[], around = 0): Generator<[id: number, as: string, hasWords: boolean]> {
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const { id, inside } = piece;
    yield [id, `${around} ${inside === null}`, inside !== null && hasWords(inside)];
    if (inside !== null) yield* placed(inside, id);
  }
}

export const hasWords = (pieces: readonly Piece[]): boolean => /\p{L}/u.test(wordsOf(pieces));

/** Whether the text of a segment has words. */
export const isWorded = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/<[^>]*>|&\w+;/g, ""));

/** A limit far beyond the length of any translation. */
const mostLength = (source: string): number => 500 + 5 * source.length;

/** Returns a string for faults: each placeholder must occur once, inside the same one as in the source. */
export function readAnswer(source: readonly Piece[], answer: string): readonly Piece[] | string {
  if (answer.length > mostLength(textOf(source))) return "it is far longer than the source";
  const pieces = readPieces(answer.replaceAll(/[ \t\r\n]+/g, " ").trim());
  if (typeof pieces === "string") return pieces;
  if (!hasWords(pieces)) return "it is empty";
  const wanted = new Map(Array.from(placed(source), ([id, ...as]) => [id, as]));
  for (const [id, as, isFilled] of placed(pieces)) {
    const of = wanted.get(id);
    if (!of) return `placeholder ${id} is repeated, or not in the source`;
    if (of[0] !== as) return `placeholder ${id} has another position than in the source`;
    if (of[1] && !isFilled) return `placeholder ${id} has lost its text`;
    wanted.delete(id);
  }
  const [missing] = wanted.keys();
  return missing === undefined ? trimmed(withBlanksOutside(pieces)) : `placeholder ${missing} is missing`;
}

/** The fault of the translation of a segment; null if it is valid. */
export function problemOf(source: string, answer: string): string | null {
  const wanted = readPieces(source);
  const read = typeof wanted === "string" ? wanted : readAnswer(wanted, answer);
  return typeof read === "string" ? read : null;
}

/** Moves spaces out of tags, since Markdown does not parse them as emphasis. */
function withBlanksOutside(pieces: readonly Piece[]): Piece[] {
  const moved: Piece[] = [];
  const add = (piece: Piece): void => {
    const last = moved.at(-1);
    if (typeof piece !== "string" || typeof last !== "string") moved.push(piece);
    else moved[moved.length - 1] = (last + piece).replaceAll(/ {2,}/g, " ");
  };
  for (const piece of pieces) {
    if (typeof piece === "string" || piece.inside === null) {
      add(piece);
      continue;
    }
    const inside = withBlanksOutside(piece.inside);
    const [first, last] = [inside[0], inside.at(-1)];
    if (typeof first === "string" && first.startsWith(" ")) add(" ");
    add({ ...piece, inside: trimmed(inside) });
    if (typeof last === "string" && last.endsWith(" ")) add(" ");
  }
  return moved;
}

export function trimmed(pieces: readonly Piece[]): Piece[] {
  const last = pieces.length - 1;
  return pieces
    .map((piece, index) => {
      if (typeof piece !== "string") return piece;
      const begun = index === 0 ? piece.trimStart() : piece;
      return index === last ? begun.trimEnd() : begun;
    })
    .filter((piece) => piece !== "");
}
