// Parses the files of a specification, untrusted YAML or JSON, into plain JSON values within limits.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { isRecord, pointerName, pointerStep } from "#src/base/json.ts";
import { type Place, SpecFault } from "#src/features/openapi/model/fault.ts";

/** Limits of a file after the expansion of YAML aliases. */
const limits = {
  /** Levels of nesting, since values are walked by recursion. */
  depth: 200,
  values: 3_000_000,
  /** UTF-16 units of all texts. */
  text: 50_000_000,
  /** The limit of alias expansions: uses of an anchor times the aliases within it. */
  aliases: 10_000,
};

/** The longest text, in UTF-16 units, for which lines are looked up by parsing it a second time. */
const locatedText = 3_000_000;

/** The value, without shared or circular parts. Throws a {@link SpecFault}, also for the name `__proto__`. */
export function parseFile(file: string, text: string): unknown {
  return new PlainCopy(file).of(parsed(file, text), "", 0);
}

/** The text of a file. Throws a {@link SpecFault} unless it is UTF-8. */
export function textOf(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SpecFault("The file must be UTF-8 text.", { file });
  }
}

function parsed(file: string, text: string): unknown {
  if (/^\s*[[{]/.test(text))
    try {
      return JSON.parse(text);
    } catch {
      // The YAML parser reports positions of errors, and allows trailing commas.
    }
  const { document, lines } = parseYaml(text);
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = lines.linePos(error.pos[0]);
    const isSecond = error.code === "MULTIPLE_DOCS";
    throw new SpecFault(isSecond ? "The file must contain exactly one YAML document." : error.message, {
      file,
      line,
      column,
    });
  }
  try {
    return document.toJS({ maxAliasCount: limits.aliases });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new SpecFault("Its aliases expand to too many values.", { file });
  }
}

function parseYaml(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: "error" });
  return { document, lines };
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
    if (depth >= limits.depth)
      throw this.#fault(`The value has more than ${limits.depth} levels of nesting, or is circular.`, pointer);
    if (Array.isArray(value)) return value.map((item, index) => this.of(item, `${pointer}/${index}`, depth + 1));
    const copy: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const below = `${pointer}/${pointerStep(name)}`;
      if (name === "__proto__") throw this.#fault("No property may be named `__proto__`.", pointer);
      copy[name] = this.of(member, below, depth + 1);
    }
    return copy;
  }

  #plain(value: unknown, pointer: string): unknown {
    const isJson = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    if (isJson) return value;
    throw this.#fault("The value must be representable in JSON.", pointer);
  }

  #fault(message: string, pointer: string): SpecFault {
    return new SpecFault(message, { file: this.#file, pointer });
  }
}

/** The position with its line and column, if they can be found. */
export function located(place: Place, text: string): Place {
  if (place.pointer === undefined || place.line !== undefined || text.length > locatedText) return place;
  const { document, lines } = parseYaml(text);
  const offset = offsetOf(document, place.pointer.split("/").slice(1).map(pointerName));
  if (offset === null) return place;
  const { line, col: column } = lines.linePos(offset);
  return { ...place, line, column };
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
      const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step);
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
