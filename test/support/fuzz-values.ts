// Unusual values by scalar: curated ones, random ones, and modified valid ones.
import { edgeCaseTexts, unstorableTexts } from "#test/support/edge-case-texts.ts";
import type { Random } from "#test/support/random.ts";

/** A long text; messages may echo at most 100 characters of it. */
export const longText = "Zq7".repeat(300);

/** The same as words, and as unknown names. */
const longTexts = [longText, "Zq7 ".repeat(250), `${"Zq7/".repeat(250)}`, `https://example.com/${longText}`];

const texts: readonly string[] = [
  ...edgeCaseTexts,
  ...unstorableTexts,
  ...longTexts,
  ..."__proto__ constructor toString ../../etc/passwd %00 %zz %E0%A4%A 0 -1 1e999 NaN true [] {} $1 ? * \\ ' \" ` ; --".split(
    " ",
  ),
  "a".repeat(256),
  "2026-13-45T99:99:99Z",
  "spc_",
  "spc_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "https://[::1",
  "http://127.0.0.1:1/",
  "javascript:alert(1)",
  "data:,x",
  "a@b",
  "(((((((((((((((((",
  "eyJhbGciOiJub25lIn0.e30.",
  "W10",
  "e30=",
  "\u202e\u0000\u200b",
];

const numbers = [-1, 0, 1, 2, 7, 1001, 2 ** 31 - 1, -(2 ** 31)];
const floats = [...numbers, 0.1, -0, 1e308, 5e-324];
const times = [
  "2026-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2026-02-29T00:00:00Z",
  "1969-12-31T23:59:59+23:59",
  "x",
  longText,
];

const deep = (depth: number): unknown => (depth === 0 ? 0 : [deep(depth - 1)]);

/** Values of every JSON type. */
const json: readonly unknown[] = [
  null,
  true,
  0,
  1e308,
  "",
  [],
  {},
  [null],
  { "": "" },
  JSON.parse('{"__proto__": {"x": 1}}'),
  { type: "object", properties: { visitor: 1 } },
  { nodes: null },
  { nodes: [{ object: "block", type: "paragraph", nodes: [null] }] },
  { object: "document", nodes: [{}] },
  deep(60),
  { [longText]: longText },
  { type: longText, nodes: [{ type: longText }] },
];

/** A text with a piece removed, doubled or inserted. */
function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const to = at + random.below(4);
  const piece = random.pick([
    text.slice(at, to).repeat(2),
    "",
    String.fromCharCode(random.below(0x250)),
    random.pick(texts),
  ]);
  return text.slice(0, at) + piece + text.slice(to);
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-$_.~";

/** Random letters of the supported encodings. */
const randomLetters = (random: Random): string =>
  Array.from({ length: 1 + random.below(12) }, () => letters[random.below(letters.length)]).join("");

/** A random text, or as likely a mutation of the valid one. */
export function fuzzText(random: Random, valid?: unknown): string {
  if (typeof valid === "string" && random.below(2) === 0) return mutated(random, valid);
  return random.below(3) === 0 ? randomLetters(random) : random.pick(texts);
}

/** A value of JSON, of any type. */
export function fuzzJson(random: Random, valid?: unknown): unknown {
  return random.below(2) === 0 ? fuzzText(random, valid) : random.pick(json);
}

/** A value that a scalar accepts by its type. */
export function fuzzScalar(random: Random, scalar: string, valid?: unknown): unknown {
  if (scalar === "Int") return random.pick(numbers);
  if (scalar === "Float") return random.pick(floats);
  if (scalar === "Boolean") return random.below(2) === 0;
  if (scalar === "DateTime") return random.pick(times);
  if (scalar === "ID" || scalar === "String") return fuzzText(random, valid);
  return fuzzJson(random, valid);
}
