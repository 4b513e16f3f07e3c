// Words of texts in their searchable form, and extracts of texts around matches.

/** Characters of scripts without spaces between words: each counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const unspacedAll = new RegExp(unspaced.source, "gu");

/** A word: letters, with their marks, and digits. */
const word = /[\p{L}\p{M}\p{N}]+/gu;

/** A text with spaces in place of non-word characters, so that results do not depend on the locale. */
export function searchable(text: string): string {
  const words = text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return unspaced.test(words) ? words.replaceAll(unspacedAll, " $& ") : words;
}

/** The words of a text, in lower case and without accents. */
export function wordsIn(text: string): string[] {
  return searchable(text)
    .split(" ")
    .flatMap((one) => plain(one) || []);
}

export const plain = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

export const isSpelt = (text: string): boolean => /^\p{L}{4,30}$/u.test(text) && !unspaced.test(text);

/** The positions of words in a text, each word in its `plain` form. */
export function* placesOfWords(text: string): Generator<{ start: number; end: number; word: string }> {
  for (const match of text.matchAll(word)) {
    if (!unspaced.test(match[0])) {
      yield { start: match.index, end: match.index + match[0].length, word: plain(match[0]) };
      continue;
    }
    for (const part of match[0].matchAll(new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[^])+`, "gu"))) {
      const start = match.index + part.index;
      yield { start, end: start + part[0].length, word: plain(part[0]) };
    }
  }
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

/** A part of a text, with an exclusive end, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface MarkedText {
  readonly text: string;
  readonly matches: readonly TextRange[];
}

export function markWords(text: string, isFound: (word: string) => boolean): MarkedText {
  const matches: TextRange[] = [];
  for (const { start, end, word } of placesOfWords(text)) if (isFound(word)) matches.push({ start, end });
  return { text, matches };
}

/** The characters of an extract, and of those before its first match. */
const length = { all: 300, before: 60 } as const;

/** The part of a text with the most matches, starting at the beginning of a word. */
export function extractOf({ text, matches }: MarkedText): MarkedText {
  const start = startOf(text, matches);
  const end = text.length - start <= length.all ? text.length : wordEnd(text, start + length.all);
  const isCut = { before: start > 0, after: end < text.length };
  const lead = isCut.before ? "… " : "";
  const shift = start - lead.length;
  return {
    text: `${lead}${text.slice(start, end)}${isCut.after ? " …" : ""}`,
    matches: matches
      .filter((match) => match.start >= start && match.end <= end)
      .map((match) => ({ start: match.start - shift, end: match.end - shift })),
  };
}

/** The start of the extract: before the match that is followed by the most others. */
function startOf(text: string, matches: readonly TextRange[]): number {
  if (text.length <= length.all) return 0;
  let best = { start: 0, count: 0 };
  for (let first = 0, last = 0; first < matches.length; first++) {
    const from = matches[first]?.start ?? 0;
    while ((matches[last]?.end ?? Number.POSITIVE_INFINITY) <= from + length.all - length.before) last++;
    if (last - first > best.count) best = { start: from, count: last - first };
  }
  const from = Math.max(0, Math.min(best.start - length.before, text.length - length.all));
  if (from === 0) return 0;
  const blank = text.slice(from, best.start).search(/\s/);
  return blank === -1 ? best.start : from + blank + 1;
}

/** The end of the last word before a position, or the position if a word is longer than an extract. */
function wordEnd(text: string, most: number): number {
  const cut = text.slice(most - length.before, most).search(/\s\S*$/);
  return cut === -1 ? most : most - length.before + cut;
}
