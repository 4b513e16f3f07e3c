// The index of the documentation: sections, and for each word the sections that have it.

/** Something that can be found: a section of a page, or a row of a reference. */
export interface Findable {
  /** The address, with an anchor. */
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Whether it is a row of a reference, of which there are many: sections come first. */
  readonly isRow: boolean;
}

/** The sections of a word by their positions, with the weight of the word in each. */
type Postings = ReadonlyMap<number, number>;

export interface SearchIndex {
  readonly entries: readonly Findable[];
  readonly words: ReadonlyMap<string, Postings>;
}

export interface Found {
  readonly entry: Findable;
  readonly score: number;
}

export interface SearchResult {
  /** The words that were searched for. */
  readonly words: readonly string[];
  /** The best first. */
  readonly found: readonly Found[];
  /** Whether no entry has all the words: then those that have some of them are found. */
  readonly isPartial: boolean;
}

/** The longest query, in characters. */
export const longestQuery = 200;

/** The most words of a query that count. */
const mostWords = 10;

const [titleWeight, pageWeight, mostInText] = [8, 3, 5];

/** The words of a text in lower case: a name such as `createToken` or `REDIS_URL` as a whole and by its parts. */
function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    yield word.toLowerCase();
    const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== "");
    if (parts.length > 1) for (const part of parts) yield part.toLowerCase();
  }
}

/** Makes the index of these entries. */
export function indexOf(entries: readonly Findable[]): SearchIndex {
  const words = new Map<string, Map<number, number>>();
  for (const [position, entry] of entries.entries())
    for (const [word, weight] of weightsOf(entry)) {
      const postings = words.get(word) ?? new Map<number, number>();
      words.set(word, postings.set(position, weight));
    }
  return { entries, words };
}

function weightsOf({ title, page, text, isRow }: Findable): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (word: string, weight: number) => weights.set(word, (weights.get(word) ?? 0) + weight);
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) add(word, Math.min(count, mostInText));
  const inTitle = new Set(wordsOf(title));
  for (const word of inTitle) add(word, titleWeight + titleWeight / inTitle.size);
  for (const word of new Set(wordsOf(page))) add(word, pageWeight);
  if (isRow) for (const [word, weight] of weights) weights.set(word, weight / 2);
  return weights;
}

/** Finds the entries that have all words of a query, each at the beginning of a word; else those that have some. */
export function search({ entries, words }: SearchIndex, query: string): SearchResult {
  const asked = queryWords(query);
  const scores = asked.map((word) => scoresOf(words, word, entries.length));
  const all = new Set(scores.flatMap((of) => [...of.keys()]));
  const whole = [...all].filter((position) => scores.every((of) => of.has(position)));
  const isPartial = whole.length === 0 && all.size > 0;
  const found = (isPartial ? [...all] : whole).flatMap((position) => {
    const entry = entries[position];
    const score = scores.reduce((sum, of) => sum + (of.get(position) ?? 0), 0);
    return entry ? { entry, score } : [];
  });
  return { words: asked, isPartial, found: found.toSorted((one, other) => other.score - one.score) };
}

/** The words of a query; of a name that has parts, the name alone. */
function queryWords(query: string): string[] {
  const found = query
    .slice(0, longestQuery)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]+/gu);
  return [...new Set(Array.from(found, ([word]) => word))].slice(0, mostWords);
}

/** How well each entry fits a word: a rare word counts more than a common one, and a whole word more than its start. */
function scoresOf(words: SearchIndex["words"], asked: string, total: number): Map<number, number> {
  const scores = new Map<number, number>();
  const matching = [...words].filter(([word]) => word === asked || (asked.length > 1 && word.startsWith(asked)));
  for (const [word, postings] of matching)
    for (const [position, weight] of postings)
      scores.set(position, Math.max(scores.get(position) ?? 0, weight * (word === asked ? 2 : 1)));
  const rarity = Math.log(1 + total / Math.max(1, scores.size));
  return new Map(Array.from(scores, ([position, score]) => [position, score * rarity]));
}
