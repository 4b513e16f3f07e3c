// Languages as people read and choose them. The schema names them in capitals, such as `PT_BR`.
import { languageNames, nameOf } from "#src/features/translations/model/languages.ts";
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import type { Html } from "#src/http/html.ts";

/** The English name of a language of the schema. */
export const nameOfLanguage = (language: string): string => nameOf(language.toLowerCase().replace("_", "-"));

const languages = Object.keys(languageNames)
  .map((code) => [code.toUpperCase(), nameOfLanguage(code)] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other));

/** The options of a field that chooses a language. */
export const languageOptions = (chosen: string): Html => optionsOf(languages, chosen);

/** The same for a field that may stay empty. */
export const optionalLanguageOptions = (chosen: string): Html => optionsOf([["", "—"], ...languages], chosen);
