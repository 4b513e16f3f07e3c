// A parser of front matter: YAML between two lines of dashes at the start of a Markdown file, TOML between lines of
// plus signs, and JSON. Replaces vfile-matter, which throws for invalid YAML, and does not report where it ends.
import { createRequire } from "node:module";
import { longest, noMeta, type PageSettings, settingsOf } from "#src/features/imports/model/page-meta.ts";
import { readModule, readToml } from "#src/features/imports/model/repositories/plain-data.ts";

export interface FrontMatter extends PageSettings {
  /** The end, including following empty lines; 0 without front matter. */
  readonly end: number;
  /** Whether it has no settings and stays part of the text. */
  readonly isText: boolean;
}

type Notation = "yaml" | "toml" | "json";

/** The settings, and problems of those that could not be read as they should. */
type Parsed = { readonly value: object; readonly problems: readonly string[] } | { readonly problem: string };

const opening = /^(?:---[ \t]*(yaml|toml|json)?|(\+\+\+))[ \t]*\r?\n/;
const closings: Readonly<Record<"---" | "+++", RegExp>> = {
  "---": /^(?:---|\.\.\.)[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/m,
  "+++": /^\+\+\+[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/m,
};

/** An object in JSON whose first brace and last brace are alone in their lines. */
const openingJson = /^\{[ \t]*\r?\n(?=[ \t]*")/;
const closingJson = /^\}[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/m;

const none = { fields: {}, meta: noMeta, problems: [], end: 0, isText: false };

export function readFrontMatter(text: string): FrontMatter {
  const found = find(text);
  if (!found) return none;
  const { notation, source, end } = found;
  const parsed = parse(notation, source);
  if ("problem" in parsed) {
    const problem = `The front matter is invalid and stays part of the text: ${parsed.problem}.`;
    return { ...none, end, isText: true, problems: [problem] };
  }
  const settings = settingsOf(parsed.value);
  return { ...settings, problems: [...parsed.problems, ...settings.problems], end, isText: false };
}

/** Null for a text without front matter, also for one that starts with a thematic break. */
function find(text: string): { notation: Notation; source: string; end: number } | null {
  const isJson = openingJson.test(text);
  const [start = "", named, plus] = opening.exec(text) ?? [];
  if (start === "" && !isJson) return null;
  const rest = text.slice(start.length, start.length + longest);
  const close = (isJson ? closingJson : closings[plus === undefined ? "---" : "+++"]).exec(rest);
  if (!close) return null;
  const source = rest.slice(0, close.index + (isJson ? 1 : 0));
  const notation = isJson ? "json" : plus === undefined ? ((named as Notation | undefined) ?? "yaml") : "toml";
  return { notation, source, end: start.length + close.index + close[0].length };
}

function parse(notation: Notation, source: string): Parsed {
  if (notation === "toml") return { value: readToml(source), problems: [] };
  if (notation === "yaml") return parseYaml(source);
  const value = readModule(source);
  return typeof value === "object" && value !== null ? { value, problems: [] } : { problem: "it is not a JSON object" };
}

/** Loads the parser for the first text that has front matter: it is a tenth of what a gateway loads. */
const require = createRequire(import.meta.url);

function parseYaml(source: string): Parsed {
  const read = readYaml(source);
  if ("value" in read) {
    const { value } = read;
    if (value === null) return { value: {}, problems: [] };
    if (typeof value === "object" && !Array.isArray(value)) return { value, problems: [] };
    return { problem: "it is not a YAML mapping" };
  }
  const problem = `it is not valid YAML (${read.problem})`;
  if (!keyLine.test(source)) return { problem };
  const value = readLines(source);
  return { value, problems: [`The front matter was read line by line: ${problem}.`] };
}

/** Texts keep the notation of their source: `1.10` is a title, not a number. */
function readYaml(source: string): { value: unknown } | { problem: string } {
  const { isCollection, isMap, isScalar, parseDocument } = require("yaml") as typeof import("yaml");
  const document = parseDocument(source, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) return { problem: error.message.split("\n")[0] ?? "" };
  const { contents } = document;
  const texts = new Map<string, string>();
  if (isMap(contents))
    for (const pair of contents.items) {
      const { key, value } = pair;
      if (!isText(isScalar(key) ? key.value : null)) continue;
      if (isScalar(value) && value.value !== null && typeof value.value !== "string") value.value = value.source ?? "";
      if (isCollection(value) && value.flow) texts.set(String(key), source.slice(value.range[0], value.range[1]));
    }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return { value: texts.size === 0 ? value : { ...(value as object), ...Object.fromEntries(texts) } };
  } catch {
    return { problem: "it has too many aliases" };
  }
}

const isText = (key: unknown): boolean => key === "title" || key === "description" || key === "slug";

const keyLine = /^([\w-]{1,100})[ \t]*:(?:[ \t]+(.*))?$/m;

/** Each setting on its own: what is not valid YAML becomes the text behind the colon. */
function readLines(source: string): object {
  const settings: [name: string, value: unknown][] = [];
  const blocks: string[] = [];
  for (const line of source.split(/\r?\n/)) {
    if (keyLine.test(line) || blocks.length === 0) blocks.push(line);
    else blocks[blocks.length - 1] += `\n${line}`;
  }
  for (const block of blocks) {
    const [, name, rest = ""] = keyLine.exec(block.split("\n", 1)[0] ?? "") ?? [];
    if (name === undefined) continue;
    const read = readYaml(block.replaceAll("\t", "  "));
    const value = "value" in read && typeof read.value === "object" && read.value !== null ? read.value : null;
    settings.push([name, value && Object.hasOwn(value, name) ? (Reflect.get(value, name) as unknown) : unquoted(rest)]);
  }
  return Object.fromEntries(settings);
}

/** A text without the quotes around it. */
function unquoted(text: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(text.trim()) ?? [];
  return inner ?? text.trim();
}

/** The value of a file in YAML, whose tags of other languages are ignored; null if it is not valid. */
export function readYamlFile(source: string): unknown {
  const read = readYaml(source.replaceAll(/!!python\/\S+|!ENV\b|!relative\b/g, ""));
  return "value" in read ? read.value : null;
}
