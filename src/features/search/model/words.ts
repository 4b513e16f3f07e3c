// Words of texts in their searchable form, and their positions.
import { folded, invisible, isAscii, withoutInvisible } from "#src/features/search/model/folding.ts";

/**
 * Blocks of scripts that join words, or their endings, without blanks: Thai, Lao, Tibetan, Burmese, Khmer, Tai,
 * Balinese, Chinese, Japanese, Korean, Yi, Javanese and Cham. Each letter with its marks counts as a word.
 * `search_words` in SQL has the same.
 */
const unspacedBlocks =
  "\\u0e00-\\u0fff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u1950-\\u19df\\u1a20-\\u1aaf\\u1b00-\\u1b7f\\u3005-\\u3007\\u3040-\\u31ff" +
  "\\u3400-\\ua48f\\ua960-\\uaadf\\uac00-\\ud7ff\\uf900-\\ufaff\\u{16fe0}-\\u{1b2ff}\\u{20000}-\\u{323af}";

const unspaced = new RegExp(`[${unspacedBlocks}]`, "u");
const cluster = new RegExp(`(?=[\\p{L}\\p{N}])[${unspacedBlocks}]\\p{M}*`, "gu");

const letter = `\\p{L}\\p{M}\\p{N}${invisible}`;
const spacedLetter = `[[${letter}]--[${unspacedBlocks}]]`;

/** A word, or several that signs join: `node.js`, `snake_case`, `dry-run`, `İstanbul'da`. */
const chunk = new RegExp(`${spacedLetter}+(?:[._'’׳״־‐‑\\-]{1,2}${spacedLetter}+)*`, "gv");
const wordInChunk = new RegExp(`${spacedLetter}+`, "gv");

/** Names with signs at their ends: `C++`, `F#` and `.NET`. */
const signed = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]{1,20}\+\+(?!\+)|[a-z][#♯](?![\p{L}\p{N}#])|\.net(?![\p{L}\p{N}]))/giu;

/** The part of `getUserName` or `HTTPServer` where the next word starts. */
const camel = /(?<=[a-zß-öø-ÿ\d])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])/;

/** Longer chunks, in characters, are data. */
const longestChunk = 80;

/** The expressions for lines of ASCII characters, which need no classes of Unicode: several times faster. */
const ascii = {
  chunk: /[A-Za-z0-9]+(?:[._'-]{1,2}[A-Za-z0-9]+)*/g,
  word: /[A-Za-z0-9]+/g,
  joint: /[._'-]/,
  mayBeCamel: /.[A-Z]/,
} as const;

/** A line; no chunk has the end of a line inside. */
const lines = /[^\n]+/g;

/** A text with blanks in place of everything else than words, which are folded. */
export function searchable(text: string): string {
  if (isAscii(text)) return searchableAscii(text);
  const parts = text.match(lines) ?? [];
  const searched = parts.map((part) => (isAscii(part) ? searchableAscii(part) : searchablePart(part)));
  return searched.filter((part) => part !== "").join(" ");
}

const searchableAscii = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();

function searchablePart(text: string): string {
  const words = folded(withoutInvisible(text).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " "))
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return unspaced.test(words) ? words.replaceAll(cluster, " $& ").trim() : words;
}

/** The words of a text, folded. */
export const wordsIn = (text: string): string[] =>
  searchable(text)
    .split(/ +/)
    .filter((one) => one !== "");

export const isUnspaced = (word: string): boolean => unspaced.test(word);

export const isSpelt = (text: string): boolean => /^[\p{L}\p{M}]{4,50}$/u.test(text) && !isUnspaced(text);

/** A part of a text, with an exclusive end, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A word at its place in a text. */
export interface PlacedWord extends TextRange {
  readonly word: string;
}

/** A chunk: its words, each with the words that camel case shows in it, and the whole without its signs. */
export interface Chunk {
  readonly words: readonly (PlacedWord & { readonly parts: readonly PlacedWord[] })[];
  readonly joined: PlacedWord | null;
}

/** The chunks of a text, without the letters of scripts that join words. */
export function* chunksIn(text: string): Generator<Chunk> {
  if (isAscii(text)) yield* chunksOfAscii(text, 0);
  else
    for (const { 0: line, index } of text.matchAll(lines))
      if (isAscii(line)) yield* chunksOfAscii(line, index);
      else for (const found of line.matchAll(chunk)) yield* chunkOf(found[0], index + found.index);
}

function* chunksOfAscii(text: string, start: number): Generator<Chunk> {
  for (const { 0: source, index } of text.matchAll(ascii.chunk))
    if (ascii.joint.test(source) || ascii.mayBeCamel.test(source)) yield* chunkOf(source, start + index, ascii.word);
    else yield { words: [{ ...rangeOf(source, start + index), word: source.toLowerCase(), parts: [] }], joined: null };
}

const rangeOf = (source: string, start: number): TextRange => ({ start, end: start + source.length });

function* chunkOf(source: string, start: number, wordOf = wordInChunk): Generator<Chunk> {
  const words = [...source.matchAll(wordOf)].flatMap((found) => placedWord(found[0], start + found.index));
  if (words.length === 0) return;
  const isName = words.length > 1 && words.length <= 8 && source.length <= longestChunk && /\p{L}/u.test(source);
  const word = words.map((one) => one.word).join("");
  yield { words, joined: isName ? { ...rangeOf(source, start), word } : null };
}

function placedWord(source: string, start: number): Chunk["words"] {
  const word = searchable(source).replaceAll(" ", "");
  if (word === "") return [];
  let at = start;
  const parts = source.length > longestChunk ? [source] : source.split(camel);
  const placed = parts.map((part) => {
    const one = { start: at, end: at + part.length, word: folded(part) };
    at = one.end;
    return one;
  });
  return [{ start, end: at, word, parts: placed.length > 1 ? placed : [] }];
}

const signedWords = { "+": "plusplus", "#": "sharp", "♯": "sharp" } as const;

/** `C++`, `C#` and `.NET` as words without signs: cplusplus, csharp and dotnet. */
export function* signedNames(text: string): Generator<PlacedWord> {
  if (!/\+\+|[#♯]|\.net/i.test(text)) return;
  for (const { 0: source, index } of text.matchAll(signed)) {
    const sign = source.at(-1) as keyof typeof signedWords;
    const word = sign in signedWords ? `${folded(source.replaceAll(/[+#♯]/g, ""))}${signedWords[sign]}` : "dotnet";
    yield { start: index, end: index + source.length, word };
  }
}

/** Phrases by which a text is found, too: joined names, the words in camel case, and names with signs. */
export function otherForms(text: string): string[] {
  const forms: string[] = [];
  for (const { words, joined } of chunksIn(text)) {
    if (joined) forms.push(joined.word);
    for (const { parts } of words) if (parts.length > 0) forms.push(parts.map(({ word }) => word).join(" "));
  }
  for (const { word } of signedNames(text)) forms.push(word);
  return forms;
}

const runLetter = new RegExp(`[${unspacedBlocks}\\uff66-\\uffdc]`, "u");
const run = new RegExp(`[${unspacedBlocks}\\uff66-\\uffdc${invisible}\\p{M}]+`, "gu");

/** The runs of letters of scripts that join words: each as its letters with their places. */
export function* unspacedRuns(text: string): Generator<readonly PlacedWord[]> {
  if (!runLetter.test(text)) return;
  for (const { 0: source, index } of text.matchAll(run)) {
    const letters: PlacedWord[] = [];
    for (const found of source.matchAll(letterWithMarks)) {
      const start = index + found.index;
      const end = start + found[0].length;
      for (const word of folded(found[0]).match(cluster) ?? []) letters.push({ start, end, word });
    }
    if (letters.length > 0) yield letters;
  }
}

const letterWithMarks = new RegExp(`[\\p{L}\\p{N}][\\p{M}\\uff9e\\uff9f${invisible}]*`, "gu");

let segmenter: Intl.Segmenter | undefined;

/** The words of a run by the dictionaries of Unicode, of two letters or more. */
export function segmentsOf(run: readonly PlacedWord[]): string[] {
  const text = run.map(({ word }) => word).join("");
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment).filter(
    (one) => (one.match(cluster) ?? []).length > 1,
  );
}

/** The optimal string alignment distance: the number of letters to change, add, remove or exchange. */
export function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const at = (of: readonly number[], index: number) => of[index] ?? Number.POSITIVE_INFINITY;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1));
      const isExchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isExchanged && i > 1 && j > 1) least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
