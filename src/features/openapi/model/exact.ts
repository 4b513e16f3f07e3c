// Scalars with their source text, such as `1.10` and `9223372036854775807`, which JavaScript numbers change: marked
// texts while a specification is processed, numbers of any length in JSON.
import { randomUUID } from "node:crypto";

/** Before the source of a marked scalar. It cannot be guessed, so no text of a specification has it. */
const mark = `${randomUUID()}:`;

const markedJson = new RegExp(`"${mark}([^"]*)"`, "g");

/** A scalar that is written as its source; a value whose text is its source stays as it is. */
export const scalarOf = (value: unknown, source: string): unknown =>
  (typeof value === "number" || typeof value === "boolean") && String(value) === source ? value : mark + source;

/** The source of a marked scalar; null for other values. */
export const sourceOf = (value: unknown): string | null =>
  typeof value === "string" && value.startsWith(mark) ? value.slice(mark.length) : null;

/** The text of a number or boolean as its author wrote it; null for other values. */
export function scalarText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return sourceOf(value);
}

/** Whether a marked scalar is null, a boolean or a number. */
export function kindOfSource(source: string): "null" | "boolean" | "number" {
  if (/^(?:~|null)?$/i.test(source)) return "null";
  return /^(?:true|false)$/i.test(source) ? "boolean" : "number";
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const yamlDecimal = /^([-+]?)(\d*)\.?(\d*)((?:[eE][-+]?\d+)?)$/;

/** The source of a marked scalar as JSON; infinity and NaN, which JSON does not have, as texts. */
function literalOf(source: string): string {
  if (jsonNumber.test(source)) return source;
  const kind = kindOfSource(source);
  if (kind !== "number") return kind === "null" ? "null" : source.toLowerCase();
  if (/^0[xo]/.test(source)) return BigInt(source).toString();
  const [, sign = "", whole = "", fraction = "", exponent = ""] = yamlDecimal.exec(source) ?? [];
  if (whole === "" && fraction === "") return JSON.stringify(source);
  return `${sign === "-" ? "-" : ""}${whole.replace(/^0+(?=\d)/, "") || "0"}${fraction && `.${fraction}`}${exponent}`;
}

/** JSON in which marked scalars are numbers with all their digits. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(markedJson, (_all, source: string) => literalOf(source));

/** A number as it is in a JSON text: `JSON.stringify` writes its source. */
type RawNumber = { readonly rawJSON: string };

/** Proposed for ECMAScript, and part of Node, but not yet of the declarations of TypeScript. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source: string }) => unknown,
  ): unknown;
  rawJSON(source: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Parses JSON; numbers that JavaScript would change are marked. */
export const parseMarked = (text: string): unknown =>
  json.parse(text, (_name, value, { source }) => (typeof value === "number" ? scalarOf(value, source) : value));

/** Finds numbers that may change, without parsing: they follow a colon, bracket or comma in JSON without blanks. */
const mayChange = /[:[,](?:-0(?![.\d])|-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|[\d.]+[eE]|0\.000000))/;

/** Parses JSON that {@link exactJson} wrote; numbers that JavaScript would change are raw JSON. */
export function parseExact(text: string): unknown {
  if (!mayChange.test(text)) return JSON.parse(text) as unknown;
  return json.parse(text, (_name, value, { source }) =>
    typeof value === "number" && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** The text of a number of a parsed document; null for other values. */
export function numberText(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return json.isRawJSON(value) ? value.rawJSON : null;
}

/** Whether JavaScript changes the number when it reads it. */
export const isRawNumber = (value: unknown): boolean => json.isRawJSON(value);
