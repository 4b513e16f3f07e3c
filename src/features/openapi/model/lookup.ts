// Following the references of a document, whatever they lead to: nothing, themselves, or what all objects inherit.
import { isRecord } from "#src/base/json.ts";
import type { OrReference, SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** The keywords of a schema: own properties alone count. */
export type Keywords = Readonly<Record<string, unknown>>;

/** A schema behind its references. */
export interface FoundSchema {
  readonly keywords: Keywords;
  /** The name of the first model that a reference led to; null where it stands in place. */
  readonly model: string | null;
}

/** How many references lead from one to the next at most. */
const chainLimit = 20;

const nothing: Keywords = {};
const never: Keywords = { not: {} };

const modelForm = /^#\/components\/schemas\/([^/]+)$/;

/** One document. */
export class Lookup {
  readonly #document: SpecDocument;
  readonly #found = new Map<string, unknown>();

  constructor(document: SpecDocument) {
    this.#document = document;
  }

  /** What a value is behind its references; an empty object where these lead nowhere. */
  follow<Value extends object>(value: OrReference<Value> | undefined): Value {
    let found: unknown = value;
    for (let step = 0; step < chainLimit && isRecord(found) && typeof found["$ref"] === "string"; step++)
      found = this.at(found["$ref"]);
    return (isRecord(found) && typeof found["$ref"] !== "string" ? found : {}) as Value; // it passed the validation
  }

  /** A schema behind its references. What is beside a reference prevails over what is there. */
  schema(schema: unknown): FoundSchema {
    let model: string | null = null;
    let found: unknown = schema;
    let beside = nothing;
    for (let step = 0; step < chainLimit; step++) {
      if (!isRecord(found)) return { keywords: found === false ? never : nothing, model };
      const { $ref, ...own } = found;
      if (Object.keys(own).length > 0) beside = { ...own, ...beside };
      if (typeof $ref !== "string") return { keywords: beside === nothing ? nothing : beside, model };
      model ??= modelNameOf($ref);
      found = this.at($ref);
    }
    return { keywords: nothing, model };
  }

  /** What is at a reference; undefined for nothing. */
  at(reference: string): unknown {
    if (!this.#found.has(reference)) this.#found.set(reference, this.#lookUp(reference));
    return this.#found.get(reference);
  }

  #lookUp(reference: string): unknown {
    if (reference === "#") return this.#document;
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = this.#document;
    for (const step of reference.slice(2).split("/")) {
      const name = nameIn(step);
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
      found = (found as Keywords)[name]; // a list has its places as names
    }
    return found;
  }
}

/** A step of a JSON pointer in an address as the name of a property. */
function nameIn(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // a percent sign that means itself
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The name of the model that a reference leads to; null for any other. */
export function modelNameOf(reference: string): string | null {
  const [, step] = modelForm.exec(reference) ?? [];
  return step === undefined ? null : nameIn(step);
}

/** The own properties of an object with their names; none of what is no object. */
export const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** The items of a list; none of what is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
