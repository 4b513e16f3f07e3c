// Words of texts as search knows them.

/** Characters of scripts that are written without blanks between words: each counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const unspacedAll = new RegExp(unspaced.source, "gu");

/** A word: letters, with their marks, and digits. */
const word = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * A text with blanks for all that is no part of a word, so that PostgreSQL takes no dots, dashes or quotation marks for
 * parts of words, in whatever locale the database is.
 */
export function searchable(text: string): string {
  const words = text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return unspaced.test(words) ? words.replaceAll(unspacedAll, " $& ") : words;
}

/** The words of a text, in lower case and without accents. */
export function wordsIn(text: string): string[] {
  return searchable(text)
    .split(" ")
    .flatMap((one) => plain(one) || []);
}

/** A word in lower case and without accents. */
export const plain = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether somebody may misspell it and mean another one: letters alone, and enough of them. */
export const isSpelt = (text: string): boolean => /^\p{L}{4,30}$/u.test(text) && !unspaced.test(text);

/** Where words are in a text, each as `plain` gives it. */
export function* placesOfWords(text: string): Generator<{ start: number; end: number; word: string }> {
  for (const match of text.matchAll(word)) {
    if (!unspaced.test(match[0])) {
      yield { start: match.index, end: match.index + match[0].length, word: plain(match[0]) };
      continue;
    }
    for (const part of match[0].matchAll(new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[^])+`, "gu"))) {
      const start = match.index + part.index;
      yield { start, end: start + part[0].length, word: plain(part[0]) };
    }
  }
}
