// Parses the files of a specification, untrusted YAML or JSON, into plain JSON values within limits.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  type Tags,
  type YAMLError,
} from "yaml";
import { isRecord, pointerName, pointerStep } from "#src/base/json.ts";
import { kindOfSource, parseMarked, scalarOf, sourceOf } from "#src/features/openapi/model/exact.ts";
import { type Place, SpecFault } from "#src/features/openapi/model/fault.ts";
import { checkJson, checkText, checkYaml } from "#src/features/openapi/model/size.ts";

/** Limits of a file after the expansion of YAML aliases. */
const limits = {
  /** Levels of nesting, since values are walked by recursion. */
  depth: 200,
  values: 1_000_000,
  /** UTF-16 units of all texts. */
  text: 20_000_000,
  /** The limit of alias expansions: uses of an anchor times the aliases within it. */
  aliases: 10_000,
};

const tooDeep = `The value has more than ${limits.depth} levels of nesting, or is circular.`;

/** The longest text, in UTF-16 units, for which lines are looked up by parsing it a second time. */
const locatedText = 3_000_000;

/** A fault that leaves the rest of a file readable. */
export interface Finding {
  readonly message: string;
  readonly place: Place;
}

/**
 * The value, without shared or circular parts; scalars that JavaScript would change are marked. Faults that leave it
 * readable are added to `findings`. Throws a {@link SpecFault} for others, also for the name `__proto__`.
 */
export function parseFile(file: string, text: string, findings: Finding[]): unknown {
  return new PlainCopy(file).of(parsed(file, text, findings), "", 0);
}

const utf16 = { "254 255": "utf-16be", "255 254": "utf-16le" } as const;

/** The text of a file: UTF-8, or UTF-16 with a byte order mark. Throws a {@link SpecFault} for others. */
export function textOf(file: string, bytes: Uint8Array): string {
  const start = `${bytes[0]} ${bytes[1]}`;
  const encoding = start in utf16 ? utf16[start as keyof typeof utf16] : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SpecFault("The file must be UTF-8 text.", { file });
  }
}

function parsed(file: string, text: string, findings: Finding[]): unknown {
  checkText(file, text);
  if (/^\s*[[{]/.test(text)) {
    checkJson(file, text);
    try {
      return parseMarked(text);
    } catch (error) {
      if (error instanceof RangeError) throw new SpecFault(tooDeep, { file });
      // The YAML parser reports positions of errors, and allows trailing commas.
    }
  }
  const { document, lines } = parseYaml(text);
  const placeOf = ({ pos }: YAMLError): Place => {
    const { line, col: column } = lines.linePos(pos[0]);
    return { file, line, column };
  };
  const fault = document.errors.find(({ code }) => !readable.has(code));
  if (fault) throw new SpecFault(fault.message, placeOf(fault));
  checkYaml(file, document);
  for (const error of document.errors) findings.push({ message: messageOf(error), place: placeOf(error) });
  try {
    return document.toJS({ maxAliasCount: limits.aliases });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    const isTooMany = error.message.startsWith("Excessive alias count");
    throw new SpecFault(isTooMany ? "Its aliases expand to too many values." : `${error.message}.`, { file });
  }
}

/** Errors after which the parser has read what the author meant. */
const readable: ReadonlySet<string> = new Set([
  "DUPLICATE_KEY",
  "MULTIPLE_DOCS",
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "BAD_DIRECTIVE",
  "TAG_RESOLVE_FAILED",
]);

function messageOf({ code, message }: YAMLError): string {
  if (code === "DUPLICATE_KEY") return "The name occurs twice: the last value is used.";
  return code === "MULTIPLE_DOCS" ? "Only the first YAML document of the file is read." : `${message}.`;
}

function parseYaml(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: "error",
    schema: "core", // also for `%YAML 1.1`, where `on` would be a boolean and `12:30` a number
    resolveKnownTags: false,
    customTags: (tags) => tags.map(markingTag),
  });
  return { document, lines };
}

/** The tag of a scalar other than a text, whose values keep their source. */
function markingTag(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || !("resolve" in tag) || tag.collection || tag.tag.endsWith(":str")) return tag;
  const scalar = tag as ScalarTag;
  const marking: ScalarTag["resolve"] = (source, ...others) => {
    const resolved = scalar.resolve(source, ...others);
    return scalarOf(isScalar(resolved) ? resolved.value : resolved, source);
  };
  return { ...tag, resolve: marking } as ScalarTag;
}

/** Copies a value, so that no part is shared, and counts what it copies. */
class PlainCopy {
  readonly #file: string;
  #values = 0;
  #text = 0;

  constructor(file: string) {
    this.#file = file;
  }

  of(value: unknown, pointer: string, depth: number): unknown {
    this.#values += 1;
    if (typeof value === "string") this.#text += value.length;
    if (this.#values > limits.values || this.#text > limits.text)
      throw new SpecFault(`It expands to more than ${limits.values} values, or to ${limits.text} characters.`, {
        file: this.#file,
      });
    if (typeof value !== "object" || value === null) return this.#plain(value, pointer);
    if (depth >= limits.depth) throw this.#fault(tooDeep, pointer);
    if (Array.isArray(value)) return value.map((item, index) => this.of(item, `${pointer}/${index}`, depth + 1));
    const copy: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const name = sourceOf(key) ?? key;
      const below = `${pointer}/${pointerStep(name)}`;
      if (name === "__proto__") throw this.#fault("No property may be named `__proto__`.", pointer);
      copy[name] = this.of(member, below, depth + 1);
    }
    return copy;
  }

  #plain(value: unknown, pointer: string): unknown {
    const source = sourceOf(value);
    if (source !== null) return kindOfSource(source) === "null" ? null : value;
    const isJson = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    if (isJson) return value;
    throw this.#fault("The value must be representable in JSON.", pointer);
  }

  #fault(message: string, pointer: string): SpecFault {
    return new SpecFault(message, { file: this.#file, pointer });
  }
}

/** Finds the lines and columns of positions; parses each file once. */
export class Locator {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, ReturnType<typeof parseYaml>>();

  /** `texts` by the names of the files. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** The position with its line and column, if they can be found. */
  located(place: Place): Place {
    const text = this.#texts.get(place.file);
    if (text === undefined || place.pointer === undefined || place.line !== undefined || text.length > locatedText)
      return place;
    const { document, lines } = this.#parsed.get(place.file) ?? parseYaml(text);
    this.#parsed.set(place.file, { document, lines });
    const offset = offsetOf(document, place.pointer.split("/").slice(1).map(pointerName));
    if (offset === null) return place;
    const { line, col: column } = lines.linePos(offset);
    return { ...place, line, column };
  }
}

type YamlDocument = ReturnType<typeof parseDocument>;

/** The offset of the last existing step; for a property, of its name. */
function offsetOf(document: YamlDocument, steps: readonly string[]): number | null {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? null;
  for (const step of steps) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    if (isSeq<Node>(holder)) {
      node = holder.items[Number(step)];
      offset = rangeOf(node) ?? offset;
    } else if (isMap(holder)) {
      const pair = holder.items.find(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === step);
      if (!pair) return offset;
      node = pair.value;
      offset = rangeOf(pair.key) ?? offset;
    } else return offset;
  }
  return offset;
}

const rangeOf = (node: unknown): number | undefined =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range) ? node.range[0] : undefined;

/** The value at a JSON pointer; undefined if missing. Only own properties count. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointer.split("/").slice(1).map(pointerName)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}
