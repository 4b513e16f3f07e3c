// Names and values of clients, cut for messages that repeat them, so that an answer does not grow with its request.

/** The most characters of a name or a value that a message repeats, and the most of a message. */
const [longestValue, longestMessage] = [100, 1_000];

/** A name, a word, or a part of a path. */
const run = new RegExp(`[^\\s/]{${longestValue + 1},}`, "gu");

/** A text in quotes, with what is escaped in it. */
const quoted = new RegExp(String.raw`"(?:[^"\\]|\\.){${longestValue + 1},}"`, "gsu");

const cut = (text: string, longest: number): string => {
  const end = text.slice(0, longest);
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`; // not in the middle of a pair of surrogates
};

/** A name or value of a client, cut to its first 100 characters. */
export const abridgedValue = (text: string): string => (text.length <= longestValue ? text : cut(text, longestValue));

/** A message with the names and values in it cut so, and cut itself where it is longer than 1,000 characters. */
export function abridged(message: string): string {
  if (message.length <= longestValue) return message;
  const text = message
    .replaceAll(quoted, (value) => `"${cut(value.slice(1, -1), longestValue)}"`)
    .replaceAll(run, (value) => cut(value, longestValue));
  return text.length <= longestMessage ? text : cut(text, longestMessage);
}

/** The path of a place in an input: each of its parts may be a name of the client's. */
export const abridgedPath = (path: string): string =>
  path.length <= longestValue ? path : path.replaceAll(/[^/]+/g, abridgedValue);
