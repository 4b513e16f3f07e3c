// Parses search texts to queries of PostgreSQL: words, "phrases", -excluded words, and `or`.
import { withoutInvisible } from "#src/features/search/model/folding.ts";
import {
  chunksIn,
  isSpelt,
  isUnspaced,
  otherForms,
  segmentsOf,
  signedNames,
  unspacedRuns,
  wordsIn,
} from "#src/features/search/model/words.ts";

/** A word, or a phrase of consecutive words. */
interface Term {
  readonly words: readonly string[];
  /** Phrases that are the same: `nodejs` for `node.js`. */
  readonly others: readonly (readonly string[])[];
  /** The words of a run of letters, which are indexed in long texts. */
  readonly segments: readonly string[];
  /** A word that a text must contain, too: `cplusplus` for `C++`. */
  readonly also: string | null;
  readonly isExcluded: boolean;
  /** Whether the last word is a prefix, since it may still be typed. */
  readonly isOpen: boolean;
}

type Alternative = readonly Term[];

export type SearchQuery = readonly Alternative[];

/** The limit of words of a search. Letters of scripts without blanks count as words. */
const wordLimit = 128;

/** Shorter prefixes match too many words. */
const shortestOpen = 3;

/** Parses a search text; null without a searchable word. */
export function readQuery(written: string): SearchQuery | null {
  const text = withoutInvisible(written).replaceAll(/[“”„‟«»＂]/g, '"');
  const alternatives: Term[][] = [[]];
  let count = 0;
  for (const [, minus, phrase, bare = ""] of text.matchAll(/(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g)) {
    if (phrase === undefined && minus === "" && /^or$/i.test(bare)) {
      alternatives.push([]);
      continue;
    }
    const words = wordsIn(phrase ?? bare).slice(0, wordLimit - count);
    count += words.length;
    const isExcluded = minus === "-" && (phrase !== undefined || !isOption(bare));
    const forms = phrase === undefined ? formsOf(bare, words) : { ...noForms, words };
    if (words.length > 0) alternatives.at(-1)?.push({ ...forms, isExcluded, isOpen: false });
  }
  const last = alternatives.at(-1)?.at(-1);
  if (last && !last.isExcluded && /[\p{L}\p{M}\p{N}]$/u.test(text) && isOpenAtEnd(text, last))
    alternatives.at(-1)?.splice(-1, 1, { ...last, isOpen: true });
  const found = alternatives.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
  return found.length === 0 ? null : found;
}

/** Whether a word after a dash is an option of a program or a number: `--dry-run`, `-x`, `-Dname=value`, `-32601`. */
const isOption = (bare: string): boolean => /^(?:[-\d‐-―]|[\p{L}\p{N}]$)|=/u.test(bare);

function isOpenAtEnd(text: string, { words }: Term): boolean {
  const isQuoted = text.split('"').length % 2 === 0;
  return !isQuoted && (words.at(-1) ?? "").length >= shortestOpen;
}

const noForms = { others: [], segments: [], also: null } as const;

type Forms = Pick<Term, "words" | "others" | "segments" | "also">;

/** The forms of a word without blanks. One that consists of several names has only its own. */
function formsOf(bare: string, words: readonly string[]): Forms {
  const names = [...chunksIn(bare)];
  const runs = [...unspacedRuns(bare)];
  const [signed] = signedNames(bare);
  if (signed) return names.length > 1 ? { ...noForms, words, also: signed.word } : { ...noForms, words: [signed.word] };
  if (names.length + runs.length !== 1) return { ...noForms, words };
  const [run] = runs;
  if (!run) return { ...noForms, words, others: otherForms(bare).map((one) => one.split(" ")) };
  const ending = koreanEnding.exec(words.join(""))?.[0].length ?? 0;
  const others = ending === 0 ? [] : [words.slice(0, -ending)];
  return { words, others, segments: segmentsOf(run), also: null };
}

/** Particles at the end of a Korean noun, which other texts have without them. */
const koreanEnding =
  /(?<=[가-힣]{2})(?:에서|으로|까지|부터|에게|처럼|보다|하고|은|는|이|가|을|를|의|에|와|과|도|로|만)$/u;

/** Spelling suggestions by an unknown word. */
export type Spellings = ReadonlyMap<string, readonly string[]>;

export function speltWords(query: SearchQuery): string[] {
  const words = query.flat().flatMap(({ isExcluded, words: of }) => (isExcluded ? [] : of));
  return [...new Set(words.filter(isSpelt))];
}

/** The searched phrases of letters of scripts that join words. */
export function runsOf(query: SearchQuery): string[][] {
  const terms = query.flat().filter(({ isExcluded }) => !isExcluded);
  const runs = terms.flatMap(({ words, others, segments }) => [
    ...[words, ...others].flatMap(unspacedIn),
    ...segments.map((one) => wordsIn(one)).filter((one) => one.length > 1),
  ]);
  return [...new Map(runs.map((run) => [run.join(" "), run])).values()];
}

/** Consecutive letters of scripts that join words. */
function unspacedIn(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  let isWithin = false;
  for (const word of words) {
    if (isUnspaced(word) && isWithin) runs.at(-1)?.push(word);
    else if (isUnspaced(word)) runs.push([word]);
    isWithin = isUnspaced(word);
  }
  return runs;
}

/** The condition on a page, for `to_tsquery`. With spellings, any of them may replace a word. */
export function wholeQuery(query: SearchQuery, spellings?: Spellings): string {
  const terms = (of: Alternative) => of.map((term) => termQuery(term, spellings)).join(" & ");
  return query.map((of) => `(${terms(of)})`).join(" | ");
}

/** Any of the searched words, for `to_tsquery`. */
export function anyQuery(query: SearchQuery, spellings?: Spellings): string {
  const queries = query.flat().flatMap(({ words, others, segments, also, isOpen, isExcluded }) => {
    if (isExcluded) return [];
    const single = [words, ...others].flatMap((of) =>
      of.flatMap((one, index) =>
        isUnspaced(one) ? [] : wordQuery(one, { isOpen: isOpen && index === of.length - 1, spellings }),
      ),
    );
    const phrases = [words, ...others].flatMap(unspacedIn).map((run) => phraseQuery(run, { isOpen: false }));
    return [...single, ...phrases, ...segments.map(segmentQuery), ...(also === null ? [] : [wordQuery(also, {})])];
  });
  return [...new Set(queries)].join(" | ");
}

interface WordOptions {
  readonly isOpen?: boolean;
  readonly spellings?: Spellings | undefined;
}

function termQuery(term: Term, spellings: Spellings | undefined): string {
  const { words, others, segments, also, isExcluded, isOpen } = term;
  const forms = [words, ...others].map((one) => phraseQuery(one, { isOpen, spellings }));
  if (segments.length > 0) forms.push(`(${segments.map(segmentQuery).join(" & ")})`);
  const any = forms.length === 1 ? forms.join("") : `(${forms.join(" | ")})`;
  const query = also === null ? any : `(${any} & ${wordQuery(also, {})})`;
  return isExcluded ? `!${query}` : query;
}

function phraseQuery(words: readonly string[], { isOpen = false, spellings }: WordOptions): string {
  const parts = words.map((one, index) => {
    const isLast = index === words.length - 1;
    return wordQuery(one, { isOpen: isLast && (isOpen || hasMarks.test(one)), spellings });
  });
  return parts.length === 1 ? parts.join("") : `(${parts.join(" <-> ")})`;
}

/** Scripts without blanks whose letters have vowels as marks: of a last letter, these may follow. */
const hasMarks = /[\u0e00-\u1bff\ua980-\uaaff]/u;

/** In Korean the words between blanks are indexed, with their endings. */
const segmentQuery = (word: string): string => `'${word}'${/[가-힣]/u.test(word) ? ":*" : ""}`;

function wordQuery(word: string, { isOpen = false, spellings }: WordOptions): string {
  const alike = spellings?.get(word) ?? [];
  const forms = [`'${word}'${isOpen ? ":*" : ""}`, ...alike.map((one) => `'${one}'`)];
  return forms.length === 1 ? forms.join("") : `(${forms.join(" | ")})`;
}
