// The languages of translations, by their codes, with `_` in place of the `-` of BCP 47.
import { Language, SearchLanguage } from "#src/generated/prisma/enums.ts";

/** The code in the form of BCP 47, such as `pt-br`. */
export const codeOf = (language: Language): string => language.replace("_", "-");

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** The English name of a language by its code; the code itself if it is unknown. */
export function nameOf(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export const languageNames = {
  ...(Object.fromEntries(Object.values(Language).map((one) => [one, `${nameOf(codeOf(one))}.`])) as Record<
    Language,
    string
  >),
  zh: "Chinese, in simplified characters.",
  zh_tw: "Chinese, in traditional characters.",
};

/** The language of full-text search with the same English name; null if search does not support it. */
export function searchLanguageOf(language: Language): SearchLanguage | null {
  const name = nameOf(codeOf(language).replace(/-.*/, "")).toLowerCase();
  return Object.values(SearchLanguage).find((one) => one === name) ?? null;
}
