// Parses search texts to queries of PostgreSQL: words, "phrases", -excluded words, and `or`.
import { isSpelt, plain, searchable } from "#src/features/search/model/words.ts";

/** A word, or a phrase of consecutive words. */
interface Term {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
  /** Whether the last word is a prefix, since it may still be typed. */
  readonly isOpen: boolean;
}

type Alternative = readonly Term[];

export type SearchQuery = readonly Alternative[];

const wordLimit = 32;

/** Shorter prefixes match too many words. */
const shortestOpen = 3;

/** Parses a search text; null without a searchable word. */
export function readQuery(text: string): SearchQuery | null {
  const alternatives: Term[][] = [[]];
  let count = 0;
  for (const [, minus, phrase, bare] of text.matchAll(/(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g)) {
    if (bare !== undefined && minus === "" && /^or$/i.test(bare)) {
      alternatives.push([]);
      continue;
    }
    const words = searchable(phrase ?? bare ?? "")
      .split(/ +/)
      .filter((one) => one !== "")
      .slice(0, wordLimit - count);
    count += words.length;
    if (words.length > 0) alternatives.at(-1)?.push({ words, isExcluded: minus === "-", isOpen: false });
  }
  const last = alternatives.at(-1)?.at(-1);
  if (last && !last.isExcluded && /[\p{L}\p{M}\p{N}]$/u.test(text) && isOpenAtEnd(text, last))
    alternatives.at(-1)?.splice(-1, 1, { ...last, isOpen: true });
  const found = alternatives.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
  return found.length === 0 ? null : found;
}

function isOpenAtEnd(text: string, { words }: Term): boolean {
  const isQuoted = text.split('"').length % 2 === 0;
  return !isQuoted && (words.at(-1) ?? "").length >= shortestOpen;
}

/** Spelling suggestions by the plain form of an unknown word. */
export type Spellings = ReadonlyMap<string, readonly string[]>;

export function speltWords(query: SearchQuery): string[] {
  const words = query.flat().flatMap(({ isExcluded, words: of }) => (isExcluded ? [] : of.map(plain)));
  return [...new Set(words.filter(isSpelt))];
}

/** The condition on a page, for `to_tsquery`. With spellings, any of them may replace a word. */
export function wholeQuery(query: SearchQuery, spellings?: Spellings): string {
  const terms = (of: Alternative) => of.map((term) => termQuery(term, spellings)).join(" & ");
  return query.map((of) => `(${terms(of)})`).join(" | ");
}

/** Any of the searched words, for `to_tsquery`. */
export function anyQuery(query: SearchQuery, spellings?: Spellings): string {
  const words = query
    .flat()
    .flatMap(({ words: of, isOpen, isExcluded }) =>
      isExcluded ? [] : of.map((one, index) => wordQuery(one, isOpen && index === of.length - 1, spellings)),
    );
  return [...new Set(words)].join(" | ");
}

function termQuery({ words, isExcluded, isOpen }: Term, spellings: Spellings | undefined): string {
  const parts = words.map((one, index) => wordQuery(one, isOpen && index === words.length - 1, spellings));
  const query = parts.length === 1 ? parts.join("") : `(${parts.join(" <-> ")})`;
  return isExcluded ? `!${query}` : query;
}

function wordQuery(word: string, isOpen: boolean, spellings: Spellings | undefined): string {
  const alike = spellings?.get(plain(word)) ?? [];
  const forms = [`'${word}'${isOpen ? ":*" : ""}`, ...alike.map((one) => `'${one}'`)];
  return forms.length === 1 ? forms.join("") : `(${forms.join(" | ")})`;
}
