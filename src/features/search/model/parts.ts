// The search index of a text: its sections with their words.
import { sectionsOf } from "#src/documents/convert.ts";
import { compound } from "#src/features/search/model/marks.ts";
import {
  isSpelt,
  otherForms,
  searchable,
  segmentsOf,
  unspacedRuns,
  wordsIn,
} from "#src/features/search/model/words.ts";

/** A stored part of a text. A long section has several parts with the same heading. */
export interface SearchPart {
  readonly place: number;
  readonly anchor: string | null;
  readonly title: string;
  readonly body: string;
  /** The words of the heading, of the prose and of the code, as returned by `searchable`. */
  readonly heading: string;
  readonly prose: string;
  readonly code: string;
  /** Other forms of these words, without those of earlier parts: `userName` is found by `user`, too. */
  readonly forms: string;
  /** Words that may be compounds, without those of earlier parts. */
  readonly long: string;
  /** Words for spelling suggestions, without those of earlier parts. */
  readonly spelt: readonly string[];
}

/** The limit of characters of a part: extracts come from one part, and word positions end at 16,383. */
const partLimit = 20_000;

/** The limits of bytes of the words of a text. Beyond `all` only new words count: a tsvector has at most a megabyte. */
const wordLimit = { all: 250_000, new: 400_000 } as const;

/** The limits of bytes of the other forms of a text, and of its compounds, whose ends are words in some languages. */
const formLimit = { forms: 50_000, long: 6_000 } as const;

/** From this many letters of scripts without blanks on, PostgreSQL does not keep all of their positions. */
const manyLetters = 2_000;

/**
 * The parts of a text. Beyond 250,000 bytes a word counts once, and beyond 400,000 bytes no words count. In a long
 * text, scripts without blanks are found by the words of dictionaries, too.
 */
export async function partsOf(markdown: string): Promise<SearchPart[]> {
  const vocabulary = new Vocabulary(hasManyLetters(markdown));
  const parts: SearchPart[] = [];
  const { sections } = await sectionsOf(markdown);
  for (const { anchor, title, pieces } of sections) {
    for (const body of cut(pieces)) {
      const textOf = (isCode: boolean) => body.flatMap((one) => (one.isCode === isCode ? one.text : [])).join("\n");
      const heading = vocabulary.take(title);
      const prose = vocabulary.take(textOf(false));
      const code = vocabulary.take(textOf(true));
      const spelt = vocabulary.newSpelt(`${title} ${textOf(false)}`);
      const words = { heading, prose, code, spelt, long: vocabulary.newLong(`${heading} ${prose}`) };
      const text = body.map((one) => one.text).join("\n");
      parts.push({ place: parts.length, anchor, title, body: text, ...words, forms: vocabulary.newForms(title, text) });
    }
  }
  return parts;
}

interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

/** Pieces in at least one group of at most {@link partLimit} characters. */
function cut(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [[]];
  let length = 0;
  for (const { text, isCode } of pieces) {
    for (let start = 0; start < text.length; start += partLimit) {
      const part = text.slice(start, start + partLimit);
      if (length > 0 && length + part.length > partLimit) {
        groups.push([]);
        length = 0;
      }
      groups.at(-1)?.push({ text: part, isCode });
      length += part.length;
    }
  }
  return groups;
}

function hasManyLetters(markdown: string): boolean {
  let count = 0;
  for (const run of unspacedRuns(markdown)) if ((count += run.length) > manyLetters) return true;
  return false;
}

class Vocabulary {
  readonly #isSegmented: boolean;
  readonly #seen = new Set<string>();
  readonly #spelt = new Set<string>();
  readonly #forms = new NewTexts(formLimit.forms);
  readonly #long = new NewTexts(formLimit.long);
  #bytes = 0;

  constructor(isSegmented: boolean) {
    this.#isSegmented = isSegmented;
  }

  take(text: string): string {
    const words = searchable(text);
    const bytes = Buffer.byteLength(words);
    if (this.#bytes + bytes <= wordLimit.all) {
      this.#bytes += bytes;
      return words;
    }
    const fresh: string[] = [];
    for (const word of words.split(/ +/)) {
      const size = Buffer.byteLength(word) + 1;
      if (this.#seen.has(word) || this.#bytes + size > wordLimit.new) continue;
      this.#seen.add(word);
      this.#bytes += size;
      fresh.push(word);
    }
    return fresh.join(" ");
  }

  newSpelt(text: string): string[] {
    const fresh = wordsIn(text).filter((word) => isSpelt(word) && !this.#spelt.has(word));
    for (const word of fresh) this.#spelt.add(word);
    return [...new Set(fresh)];
  }

  newForms(title: string, text: string): string {
    const both = `${title}\n${text}`;
    const segments = this.#isSegmented ? [...unspacedRuns(both)].flatMap(segmentsOf) : [];
    return this.#forms.take([...otherForms(both), ...segments]);
  }

  newLong(words: string): string {
    return this.#long.take(words.split(" ").filter((one) => one.length >= compound.least && isSpelt(one)));
  }
}

/** Texts that were not taken before, up to a limit of bytes. */
class NewTexts {
  readonly #limit: number;
  readonly #taken = new Set<string>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(texts: readonly string[]): string {
    const fresh = texts.filter((one) => {
      if (this.#taken.has(one) || this.#bytes >= this.#limit) return false;
      this.#taken.add(one);
      this.#bytes += Buffer.byteLength(one) + 1;
      return true;
    });
    return fresh.join(" ");
  }
}
