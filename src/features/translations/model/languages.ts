// The languages of translations: their names for people, and what other parts of docgraph know of them.
import type { Language, SearchLanguage } from "#src/generated/prisma/enums.ts";

/** The languages by their codes, in which `_` stands for the `-` of BCP 47. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: "English.",
  fr: "French.",
  de: "German.",
  es: "Spanish.",
  it: "Italian.",
  pt: "Portuguese.",
  pt_br: "Portuguese as in Brazil.",
  ru: "Russian.",
  ja: "Japanese.",
  zh: "Chinese, in simplified characters.",
  zh_tw: "Chinese, in traditional characters.",
  yue: "Cantonese.",
  ko: "Korean.",
  ar: "Arabic.",
  hi: "Hindi.",
  nl: "Dutch.",
  pl: "Polish.",
  tr: "Turkish.",
  sv: "Swedish.",
  no: "Norwegian.",
  da: "Danish.",
  fi: "Finnish.",
  el: "Greek.",
  cs: "Czech.",
  hu: "Hungarian.",
  ro: "Romanian.",
  th: "Thai.",
  vi: "Vietnamese.",
  id: "Indonesian.",
  ms: "Malay.",
  he: "Hebrew.",
  uk: "Ukrainian.",
  sk: "Slovak.",
  bg: "Bulgarian.",
  hr: "Croatian.",
  lt: "Lithuanian.",
  lv: "Latvian.",
  et: "Estonian.",
  sl: "Slovenian.",
};

/** The code as BCP 47 has it, such as `pt-br`. */
export const codeOf = (language: Language): string => language.replace("_", "-");

const searched: Partial<Record<Language, SearchLanguage>> = {
  ar: "arabic",
  da: "danish",
  nl: "dutch",
  en: "english",
  fi: "finnish",
  fr: "french",
  de: "german",
  el: "greek",
  hi: "hindi",
  hu: "hungarian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  no: "norwegian",
  pt: "portuguese",
  pt_br: "portuguese",
  ro: "romanian",
  ru: "russian",
  es: "spanish",
  sv: "swedish",
  tr: "turkish",
};

/** The language by which words of texts are searched; null where search does not know it. */
export const searchLanguageOf = (language: Language): SearchLanguage | null => searched[language] ?? null;
