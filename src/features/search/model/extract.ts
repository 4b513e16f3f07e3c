// Extracts: what is shown of a text in which words were found, with the places of the words.
import { placesOfWords } from "#src/features/search/model/words.ts";

/** A part of a text, from one character to behind the last: in UTF-16 units, as JavaScript counts. */
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

/** Characters of an extract, and of those before its first word. */
const length = { all: 300, before: 60 } as const;

/** The part of a text that has the most of the words, from the beginning of a word on. */
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

/** Where the extract begins: before the match after which the most others follow. */
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

/** The end of the last word that ends before a place, or the place where a word is longer than an extract. */
function wordEnd(text: string, most: number): number {
  const cut = text.slice(most - length.before, most).search(/\s\S*$/);
  return cut === -1 ? most : most - length.before + cut;
}
