// The folding of texts: forms of one word that differ in case, accents, width or invisible characters become equal.
// `search_folded` in SQL does the same for titles.

/** Characters without width or meaning of their own: soft hyphens, joiners, directions, variants, tatweel. */
export const invisible =
  "\\u00ad\\u034f\\u061c\\u0640\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff";

const allInvisible = new RegExp(`[${invisible}]`, "g");

/** Accents, and the vowel points of Hebrew, Arabic and Syriac. Other marks are vowels that no writer omits. */
const points = new RegExp(
  "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7" +
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u08d3-\\u08ff]",
  "g",
);

/** Letters without a decomposition, and letters of Persian that Arabic writes otherwise. */
const letters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ł", "l"],
  ["þ", "th"],
  ["ŧ", "t"],
  ["ς", "σ"],
  ["ى", "ي"],
  ["ی", "ي"],
  ["ک", "ك"],
]);

const allLetters = new RegExp(`[${[...letters.keys()].join("")}]`, "g");

/** A text without the characters that have no width. */
export const withoutInvisible = (text: string): string => text.replaceAll(allInvisible, "");

// eslint-disable-next-line no-control-regex
export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** The folded form of a text: lower case, without accents and width forms. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return withoutInvisible(text)
    .normalize("NFKD")
    .replaceAll(points, "")
    .toLowerCase()
    .replaceAll(allLetters, (letter) => letters.get(letter) ?? letter)
    .normalize("NFC");
}
