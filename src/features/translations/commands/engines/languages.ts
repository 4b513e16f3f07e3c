// Languages as engines name them.
import { EngineError } from "#src/base/translator.ts";

/** A pair of languages, as an engine names them. */
interface LanguagePair {
  readonly source: string;
  readonly target: string;
}

/**
 * The pair of an engine's that is meant. `namesOf` says the names that the engine may have for a language, the best one
 * first. Throws an {@link EngineError} when the engine has none.
 */
export function choosePair(
  known: readonly LanguagePair[],
  { from, to }: { readonly from: string; readonly to: string },
  namesOf: (language: string) => readonly string[],
): LanguagePair {
  const isNamed = (language: string, name: string): boolean => language.toLowerCase() === name.toLowerCase();
  for (const target of namesOf(to))
    for (const source of namesOf(from)) {
      const pair = known.find((one) => isNamed(one.source, source) && isNamed(one.target, target));
      if (pair) return pair;
    }
  throw new EngineError(
    `The translation engine does not translate from ${nameOf(from)} to ${nameOf(to)}: install that pair there, or choose another language.`,
  );
}

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** The English name of a language. */
export function nameOf(language: string): string {
  try {
    return names.of(language) ?? language;
  } catch {
    return language;
  }
}
