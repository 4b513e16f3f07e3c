// Marks the matches of a search in texts, and makes extracts around them.
import {
  chunksIn,
  type Chunk,
  type PlacedWord,
  signedNames,
  type TextRange,
  unspacedRuns,
} from "#src/features/search/model/words.ts";
import { folded } from "#src/features/search/model/folding.ts";

export interface MarkedText {
  readonly text: string;
  readonly matches: readonly TextRange[];
}

/** What is marked in texts. */
export interface Sights {
  /** Whether a word is found. */
  readonly isFound: (word: string) => boolean;
  /** Phrases of letters of scripts that join words. */
  readonly runs: readonly (readonly string[])[];
  /** The beginnings of searched words, if ends of compounds are found. */
  readonly tails: ReadonlySet<string> | null;
}

/** The prefix by which words of a text and of a search may be forms of one word: stems share it with their words. */
export const beginning = (word: string): string => word.slice(0, 2);

/** Languages that join nouns: words are found by their last parts, too. `search_compounds` in SQL has the same. */
const compounding: ReadonlySet<string> = new Set(["danish", "dutch", "finnish", "german", "norwegian", "swedish"]);

export const joinsNouns = (variant: string): boolean => compounding.has(variant);

/** The lengths of a compound and of its parts, in letters. */
export const compound = { least: 8, first: 3, last: 4 } as const;

/** All words of a text that may be found, in all their forms. */
export function* wordsToFind(text: string, tails: Sights["tails"]): Generator<string> {
  for (const { words, joined } of chunksIn(text)) {
    if (joined) yield joined.word;
    for (const one of words) {
      yield one.word;
      for (const { word } of one.parts) yield word;
      if (tails) for (const { word } of tailsOf(one, text, tails)) yield word;
    }
  }
  for (const { word } of signedNames(text)) yield word;
}

/** The ends of a word that begin as a searched word does. */
function tailsOf({ start, end, word }: PlacedWord, text: string, begins: ReadonlySet<string>): PlacedWord[] {
  if (word.length < compound.least) return [];
  const tails: PlacedWord[] = [];
  for (let at = start + compound.first; at <= end - compound.last; at++) {
    const tail = folded(text.slice(at, end));
    if (begins.has(beginning(tail)) && word.endsWith(tail)) tails.push({ start: at, end, word: tail });
  }
  return tails;
}

/** The matches in a text, in order and apart from each other. */
export function markWords(text: string, sights: Sights): MarkedText {
  const found: TextRange[] = [...signedNames(text)].filter(({ word }) => sights.isFound(word));
  for (const one of chunksIn(text)) found.push(...marksOf(one, text, sights));
  if (sights.runs.length > 0) found.push(...marksOfRuns(text, sights.runs));
  const matches: TextRange[] = [];
  for (const { start, end } of found.toSorted((one, other) => one.start - other.start || other.end - one.end))
    if (start >= (matches.at(-1)?.end ?? 0)) matches.push({ start, end });
  return { text, matches };
}

function marksOf({ words, joined }: Chunk, text: string, { isFound, tails }: Sights): PlacedWord[] {
  const marks = words.flatMap((one) => {
    if (isFound(one.word)) return [one];
    const parts = one.parts.filter(({ word }) => isFound(word));
    if (parts.length > 0 || !tails) return parts;
    return tailsOf(one, text, tails)
      .filter(({ word }) => isFound(word))
      .slice(0, 1);
  });
  return marks.length === 0 && joined && isFound(joined.word) ? [joined] : marks;
}

function marksOfRuns(text: string, runs: Sights["runs"]): TextRange[] {
  const letters = [...unspacedRuns(text)].flat();
  return runs.flatMap((run) => {
    const marks: TextRange[] = [];
    for (let at = 0; at + run.length <= letters.length; at++) {
      const isHere = run.every((word, index) =>
        isLetter(letters[at + index]?.word ?? "", word, index === run.length - 1),
      );
      if (!isHere) continue;
      marks.push({ start: letters[at]?.start ?? 0, end: letters[at + run.length - 1]?.end ?? 0 });
      at += run.length - 1;
    }
    return marks;
  });
}

const isLetter = (letter: string, sought: string, isLast: boolean): boolean =>
  isLast ? letter.startsWith(sought) : letter === sought;

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
