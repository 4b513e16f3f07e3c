// Writes the values of parameters by their `style` and `explode`, which follow URI templates (RFC 6570).
import { numberText } from "#src/features/openapi/model/exact.ts";
import { lineOf, textOf } from "#src/features/openapi/model/pages/markdown.ts";
import { jsonOf } from "#src/features/openapi/model/pages/example.ts";
import { isObject } from "#src/features/openapi/model/pages/shape.ts";

export interface Style {
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

type Given = { readonly style?: unknown; readonly explode?: unknown; readonly allowReserved?: unknown };

/** The style of a parameter or a field of a form, with the defaults of its place. */
export function styleOf({ style, explode, allowReserved }: Given, preset: "simple" | "form"): Style {
  const name = typeof style === "string" ? style : preset;
  const isExploded = typeof explode === "boolean" ? explode : /^(?:form|cookie|deepObject)$/.test(name);
  return { style: name, explode: isExploded, allowReserved: allowReserved === true };
}

/** A value in an address, header or form; objects and lists in others as JSON. */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return textOf(value).slice(0, 2_000).toWellFormed();
  return numberText(value) ?? jsonOf(value, { limit: 2_000, space: 0 }) ?? "";
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Reserved characters that do not end a value, or begin another part of the address. */
const encodeReserved = (text: string): string =>
  encode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|2C|3B|3D)/g, (code) => decodeURIComponent(code));

const entriesIn = (value: unknown): [string, string][] =>
  Object.entries(value as object).map(([name, one]) => [name, scalarText(one)]);

/** The parts of a value, and what is between a name and a value if it is an exploded object. */
function partsOf(value: unknown, explode: boolean, write: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => write(scalarText(item)));
  if (!isObject(value)) return [write(scalarText(value))];
  return entriesIn(value).flatMap(([name, one]) =>
    explode ? [`${write(name)}=${write(one)}`] : [write(name), write(one)],
  );
}

/** The value of a parameter in the path. */
export function inPath(name: string, value: unknown, { style, explode }: Style): string {
  const parts = partsOf(value, explode, encode);
  if (style === "label") return `.${parts.join(explode ? "." : ",")}`;
  if (style !== "matrix") return parts.join(",");
  const key = encode(name);
  if (explode && isObject(value)) return parts.map((part) => `;${part}`).join("");
  return explode ? parts.map((part) => `;${key}=${part}`).join("") : `;${key}=${parts.join(",")}`;
}

/** The value of a header. */
export const inHeader = (value: unknown, { explode }: Style): string =>
  lineOf(partsOf(value, explode, (text) => text).join(","));

/** A name with its value, and both as they are in an address. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly encoded: string;
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** The pairs of a parameter in the query, a cookie, or a field of a form. */
export function pairsOf(name: string, value: unknown, { style, explode, allowReserved }: Style): QueryPair[] {
  const write = allowReserved ? encodeReserved : encode;
  const pair = (key: string, text: string): QueryPair => ({
    name: key,
    value: text,
    encoded: `${encode(key)}=${write(text)}`,
  });
  if (style === "deepObject" && isObject(value)) return deepPairs(name, value).map(([key, text]) => pair(key, text));
  if (!Array.isArray(value) && !isObject(value)) return [pair(name, scalarText(value))];
  if (explode)
    return Array.isArray(value)
      ? value.map((item) => pair(name, scalarText(item)))
      : entriesIn(value).map(([key, text]) => pair(key, text));
  const separator = separators[style] ?? ",";
  const parts = partsOf(value, false, (text) => text);
  const between = separator === "," ? "," : encode(separator);
  return [
    {
      name,
      value: parts.join(separator),
      encoded: `${encode(name)}=${parts.map((part) => write(part)).join(between)}`,
    },
  ];
}

function deepPairs(name: string, value: object): [string, string][] {
  return Object.entries(value).flatMap(([key, one]: [string, unknown]): [string, string][] => {
    const below = `${name}[${key}]`;
    if (isObject(one)) return deepPairs(below, one);
    return Array.isArray(one) ? one.map((item) => [below, scalarText(item)]) : [[below, scalarText(one)]];
  });
}
