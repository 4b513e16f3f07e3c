// The languages of translations, by their codes, with `_` in the place of the `-` of BCP 47.
import { Language, SearchLanguage } from "#src/generated/prisma/enums.ts";

/** The code as BCP 47 has it, such as `pt-br`. */
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

/** The language for full-text search, which is named in English; null if search does not have it. */
export function searchLanguageOf(language: Language): SearchLanguage | null {
  const name = nameOf(codeOf(language).replace(/-.*/, "")).toLowerCase();
  return Object.values(SearchLanguage).find((one) => one === name) ?? null;
}
