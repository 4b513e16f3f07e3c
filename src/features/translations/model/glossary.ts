// The glossary: terms that stay as they are or have fixed translations. Engines get placeholders for them.
import type { GlossaryTerm } from "#src/base/translator.ts";

interface Prepared {
  readonly text: string;
  /** Replaces the placeholders of terms in the result; null if one is missing or repeated. */
  readonly restore: (answer: string) => string | null;
}

const encode = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Characters of words, except in scripts without spaces between words. */
const ofWord = String.raw`[[\p{L}\p{N}\p{M}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]`;

const atWord = new RegExp(`^${ofWord}`, "v");
const toWord = new RegExp(`${ofWord}$`, "v");

/** Matches a term as whole words, case-insensitive and with any whitespace. */
function patternOf(term: string): string {
  const text = encode(term.trim())
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s+`);
  return `${atWord.test(term.trim()) ? `(?<!${ofWord})` : ""}${text}${toWord.test(term.trim()) ? `(?!${ofWord})` : ""}`;
}

const keyOf = (text: string): string => text.replaceAll(/\s+/g, " ").toLowerCase();

/** Finds terms in the texts of segments; the longest match counts. */
export class Glossary {
  readonly #terms: ReadonlyMap<string, GlossaryTerm>;
  readonly #pattern: RegExp | null;

  constructor(terms: readonly GlossaryTerm[]) {
    const used = terms.filter(({ term }) => term.trim() !== "");
    const patterns = used
      .toSorted((one, other) => other.term.length - one.term.length)
      .map(({ term }) => patternOf(term));
    this.#terms = new Map(used.map((term) => [keyOf(encode(term.term.trim())), term]));
    this.#pattern = patterns.length === 0 ? null : new RegExp(patterns.join("|"), "giv");
  }

  termsIn(text: string): GlossaryTerm[] {
    const found = new Set<GlossaryTerm>();
    this.#replace(text, (term, as) => {
      found.add(term);
      return as;
    });
    return [...found];
  }

  prepare(text: string): Prepared {
    let id = Math.max(0, ...Array.from(text.matchAll(/ id="(\d+)"/g), ([, used]) => Number(used)));
    const terms = new Map<number, string>();
    const prepared = this.#replace(text, ({ translation }, as) => {
      terms.set(++id, translation === null ? as : encode(inCaseOf(as, translation.trim())));
      return `<x id="${id}"/>`;
    });
    return { text: prepared, restore: (answer) => restored(answer, terms) };
  }

  /** Replaces terms outside of tags. */
  #replace(text: string, by: (term: GlossaryTerm, as: string) => string): string {
    const pattern = this.#pattern;
    if (!pattern) return text;
    return text
      .split(/(<[^>]*>)/)
      .map((part, index) =>
        index % 2 === 1
          ? part
          : part.replaceAll(pattern, (as) => {
              const term = this.#terms.get(keyOf(as));
              return term ? by(term, as) : as;
            }),
      )
      .join("");
  }
}

function restored(answer: string, terms: ReadonlyMap<number, string>): string | null {
  let text = answer;
  for (const [id, term] of terms) {
    const parts = text.split(
      new RegExp(`<\\s*x\\s+id\\s*=\\s*["']?${id}["']?\\s*(?:/\\s*>|>\\s*<\\s*/\\s*x\\s*>)`, "gi"),
    );
    if (parts.length !== 2) return null;
    text = parts.join(term);
  }
  return text;
}

/** A translation in the case of the match: upper case, capitalized, or unchanged. */
function inCaseOf(found: string, translation: string): string {
  const [first = ""] = found;
  if (found.length > 1 && found === found.toUpperCase() && found !== found.toLowerCase())
    return translation.toUpperCase();
  const [start = ""] = translation;
  return first === first.toLowerCase() ? translation : start.toUpperCase() + translation.slice(start.length);
}
