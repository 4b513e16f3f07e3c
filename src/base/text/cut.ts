// Cuts texts: names and values of clients in messages, and titles to one line.

/** The longest repeated name or value, and the longest message, in characters. */
const [longestValue, longestMessage] = [100, 1_000];

/** A name, a word, or a part of a path. */
const run = new RegExp(`[^\\s/]{${longestValue + 1},}`, "gu");

/** A quoted text with escapes. */
const quoted = new RegExp(String.raw`"(?:[^"\\]|\\.){${longestValue + 1},}"`, "gsu");

const cut = (text: string, longest: number): string => {
  const end = text.slice(0, longest);
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`; // not in the middle of a pair of surrogates
};

/** A name or value cut to its first 100 characters. */
export const abridgedValue = (text: string): string => (text.length <= longestValue ? text : cut(text, longestValue));

/** A message with its names and values cut, of at most 1,000 characters. */
export function abridged(message: string): string {
  if (message.length <= longestValue) return message;
  const text = message
    .replaceAll(quoted, (value) => `"${cut(value.slice(1, -1), longestValue)}"`)
    .replaceAll(run, (value) => cut(value, longestValue));
  return text.length <= longestMessage ? text : cut(text, longestMessage);
}

/** An input's path with each of its steps cut. */
export const abridgedPath = (path: string): string =>
  path.length <= longestValue ? path : path.replaceAll(/[^/]+/g, abridgedValue);

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

const countCodePoints = (text: string): number => Array.from(text).length;

/** A text on one line of at most `limit` code points, cut between graphemes, with `…`. */
export function cutLine(text: string, limit: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (countCodePoints(line) <= limit) return line;
  let cut = "";
  let length = 0;
  for (const { segment } of characters.segment(line)) {
    length += countCodePoints(segment);
    if (length >= limit) break; // one is kept for the ellipsis
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
