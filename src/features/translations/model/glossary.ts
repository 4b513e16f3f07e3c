// The glossary: terms that stay as they are, or are always translated in one way. Engines get placeholders for them.
import type { GlossaryTerm } from "#src/base/translator.ts";

/** A text for an engine, and how its answer becomes a text without the placeholders of terms. */
interface Prepared {
  readonly text: string;
  /** The answer with its terms; null when a term is missing, or there twice. */
  readonly restore: (answer: string) => string | null;
}

const encode = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Letters, digits and marks are of a word, but for scripts that write words side by side. */
const ofWord = String.raw`[[\p{L}\p{N}\p{M}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]`;

const atWord = new RegExp(`^${ofWord}`, "v");
const toWord = new RegExp(`${ofWord}$`, "v");

/** Finds a term as whole words, whatever its case and its blanks. */
function patternOf(term: string): string {
  const text = encode(term.trim())
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s+`);
  return `${atWord.test(term.trim()) ? `(?<!${ofWord})` : ""}${text}${toWord.test(term.trim()) ? `(?!${ofWord})` : ""}`;
}

const keyOf = (text: string): string => text.replaceAll(/\s+/g, " ").toLowerCase();

/** Terms, to be found in the texts of segments. Of two that fit the longer one counts. */
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

  /** The terms that are in a text: its translation depends on these. */
  termsIn(text: string): GlossaryTerm[] {
    const found = new Set<GlossaryTerm>();
    this.#replace(text, (term, as) => {
      found.add(term);
      return as;
    });
    return [...found];
  }

  /** The text with placeholders for its terms. */
  prepare(text: string): Prepared {
    let id = Math.max(0, ...Array.from(text.matchAll(/ id="(\d+)"/g), ([, used]) => Number(used)));
    const held = new Map<number, string>();
    const prepared = this.#replace(text, ({ translation }, as) => {
      held.set(++id, translation === null ? as : encode(inCaseOf(as, translation.trim())));
      return `<x id="${id}"/>`;
    });
    return { text: prepared, restore: (answer) => restored(answer, held) };
  }

  /** Replaces the terms outside of tags. */
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

function restored(answer: string, held: ReadonlyMap<number, string>): string | null {
  let text = answer;
  for (const [id, term] of held) {
    const parts = text.split(
      new RegExp(`<\\s*x\\s+id\\s*=\\s*["']?${id}["']?\\s*(?:/\\s*>|>\\s*<\\s*/\\s*x\\s*>)`, "gi"),
    );
    if (parts.length !== 2) return null;
    text = parts.join(term);
  }
  return text;
}

/** A translation in the case of what was found: in capitals, with a capital first, or as it is. */
function inCaseOf(found: string, translation: string): string {
  const [first = ""] = found;
  if (found.length > 1 && found === found.toUpperCase() && found !== found.toLowerCase())
    return translation.toUpperCase();
  const [start = ""] = translation;
  return first === first.toLowerCase() ? translation : start.toUpperCase() + translation.slice(start.length);
}
