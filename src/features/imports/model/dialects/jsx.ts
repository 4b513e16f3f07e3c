// Tags of components in MDX with their attributes, read without running the code in braces.
import { LiteralReader } from "#src/features/imports/model/repositories/plain-data.ts";

export interface JsxTag {
  readonly start: number;
  readonly end: number;
  readonly side: "start" | "end" | "both";
  /** Empty for a fragment. */
  readonly name: string;
  /** Values that are texts; code in braces counts if it is a text, or the address of an imported file. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The code of attributes in braces. */
  readonly code: ReadonlyMap<string, string>;
}

const tagStart = /<(\/?)([A-Z][\w.-]{0,100}|[a-z][a-z0-9-]{0,30}(?=[\s/>])|(?=\/?>))/g;
const longestTag = 5_000;

/** The tags of components, and those of HTML that have code in their attributes. */
export function tagsIn(text: string, constants: ReadonlyMap<string, string>): JsxTag[] {
  const tags: JsxTag[] = [];
  for (const { 0: found, 1: slash, 2: name = "", index } of text.matchAll(tagStart)) {
    const end = endOfTag(text, index + found.length);
    if (end === null) continue;
    const inner = text.slice(index + found.length, end - 1);
    const isComponent = name === "" || /^[A-Z]/.test(name);
    if (!isComponent && !inner.includes("={") && !inner.includes("className")) continue;
    const side = slash === "/" ? "end" : inner.endsWith("/") ? "both" : "start";
    tags.push({ start: index, end, side, name, ...attributesOf(inner, constants) });
  }
  return tags;
}

/** The offset behind the `>` of a tag, skipping quotes and braces; null if it does not end. */
function endOfTag(text: string, from: number): number | null {
  let depth = 0;
  let quote = "";
  for (let at = from; at < Math.min(text.length, from + longestTag); at++) {
    const character = text[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'" || (character === "`" && depth > 0)) quote = character;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (character === ">" && depth === 0) return at + 1;
    else if (character === "<" && depth === 0) return null;
  }
  return null;
}

const attribute = /([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{)))?/y;

function attributesOf(inner: string, constants: ReadonlyMap<string, string>) {
  const attributes = new Map<string, string>();
  const code = new Map<string, string>();
  for (let at = 0; at < inner.length;) {
    attribute.lastIndex = at;
    const [found, name = "", double, single, brace] = attribute.exec(inner) ?? [];
    if (found === undefined) {
      at++;
      continue;
    }
    at += found.length;
    if (brace === undefined) attributes.set(name, double ?? single ?? "");
    else {
      const end = endOfBraces(inner, at);
      const source = inner.slice(at, end);
      code.set(name, source);
      const text = textOfCode(source, constants);
      if (text !== null) attributes.set(name, text);
      at = end + 1;
    }
  }
  return { attributes, code };
}

function endOfBraces(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

const wrapped = /^\s*(?:require|useBaseUrl|withBase|url)\(\s*["']([^"']+)["']\s*,?[^)]{0,100}\)(?:\.default)?\s*$/;

/** The text of an expression: a literal, a known name, or an address in a call of `require` or `useBaseUrl`. */
function textOfCode(source: string, constants: ReadonlyMap<string, string>): string | null {
  const [, address] = wrapped.exec(source.slice(0, 500)) ?? [];
  if (address !== undefined) return address;
  const value = new LiteralReader(source, { constants }).value();
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
