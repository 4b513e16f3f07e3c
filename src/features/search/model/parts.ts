// The search index of a text: its sections with their words.
import { sectionsOf } from "#src/features/content/model/sections.ts";
import { isSpelt, searchable, wordsIn } from "#src/features/search/model/words.ts";

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
  /** Words for spelling suggestions, without those of earlier parts. */
  readonly spelt: readonly string[];
}

/** The limit of characters of a part: extracts come from one part, and word positions end at 16,383. */
const partLimit = 20_000;

/** The limits of bytes of the words of a text. Beyond `all` only new words count: a tsvector has at most a megabyte. */
const wordLimit = { all: 250_000, new: 400_000 } as const;

/** The parts of a text. Beyond 250,000 bytes a word counts once, and beyond 400,000 bytes no words count. */
export function partsOf(markdown: string): SearchPart[] {
  const vocabulary = new Vocabulary();
  const parts: SearchPart[] = [];
  for (const { anchor, title, pieces } of sectionsOf(markdown)) {
    for (const body of cut(pieces)) {
      const textOf = (isCode: boolean) => body.flatMap((one) => (one.isCode === isCode ? one.text : [])).join("\n");
      const heading = vocabulary.take(title);
      const prose = vocabulary.take(textOf(false));
      const code = vocabulary.take(textOf(true));
      const spelt = vocabulary.newSpelt(`${title} ${textOf(false)}`);
      const place = parts.length;
      parts.push({ place, anchor, title, body: body.map(({ text }) => text).join("\n"), heading, prose, code, spelt });
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

class Vocabulary {
  readonly #seen = new Set<string>();
  readonly #spelt = new Set<string>();
  #bytes = 0;

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
}
