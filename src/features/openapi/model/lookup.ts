// Follows the references of a document, also circular and broken ones, and lists its operations.
import { percentDecoded } from "#src/base/url-text.ts";
import { isRecord, pointerName } from "#src/base/json.ts";
import type {
  Callback,
  Operation,
  OrReference,
  Parameter,
  PathItem,
  SecurityRequirement,
  SpecDocument,
  SpecServer,
} from "#src/features/openapi/model/spec-document.ts";

export type Keywords = Readonly<Record<string, unknown>>;

export interface FoundSchema {
  readonly keywords: Keywords;
  /** The first model in a chain of references; null for an inline schema. */
  readonly model: string | null;
}

/** The longest chain of references. */
const chainLimit = 20;

const nothing: Keywords = {};
const never: Keywords = { not: {} };

/** Keywords that do not override those of the target of a reference. */
const together = "properties patternProperties required allOf oneOf anyOf items prefixItems not if".split(" ");

const modelForm = /^#\/components\/schemas\/([^/]+)$/;

export class Lookup {
  readonly #document: SpecDocument;
  readonly #found = new Map<string, unknown>();
  readonly #made = new WeakMap<object, Keywords>();

  constructor(document: SpecDocument) {
    this.#document = document;
  }

  /** Follows references, whose fields override those of their target; an empty object without a target. */
  follow<Value extends object>(value: OrReference<Value> | undefined): Value {
    let found: unknown = value;
    let beside = nothing;
    for (let step = 0; step < chainLimit && isRecord(found); step++) {
      const { $ref, ...own } = found;
      if (typeof $ref !== "string") return (beside === nothing ? found : { ...found, ...beside }) as Value; // repaired
      if (Object.keys(own).length > 0) beside = { ...own, ...beside };
      found = this.at($ref);
    }
    return beside as Value;
  }

  /**
   * Follows the references of a schema. Annotations and limits beside a reference override those of its target; other
   * keywords apply together with it.
   */
  schema(schema: unknown): FoundSchema {
    let model: string | null = null;
    let found: unknown = schema;
    let beside = nothing;
    for (let step = 0; step < chainLimit; step++) {
      if (!isRecord(found)) return { keywords: found === false ? never : nothing, model };
      const { $ref: reference, $dynamicRef, ...own } = found;
      const $ref = reference ?? $dynamicRef;
      if (typeof $ref === "string" && together.some((name) => name in own))
        return { keywords: { ...this.#combined(found, { $ref, own }), ...beside }, model };
      if (Object.keys(own).length > 0) beside = { ...own, ...beside };
      if (typeof $ref !== "string") return { keywords: beside === nothing ? nothing : beside, model };
      model ??= modelNameOf($ref);
      found = this.at($ref);
    }
    return { keywords: nothing, model };
  }

  /** A reference and the keywords beside it as parts of one schema, the same each time. */
  #combined(schema: object, { $ref, own }: { $ref: string; own: Keywords }): Keywords {
    const known = this.#made.get(schema);
    if (known) return known;
    const { title, description, deprecated, readOnly, writeOnly, example, examples, ...others } = own;
    const annotations = { title, description, deprecated, readOnly, writeOnly, example, examples };
    const given = Object.entries(annotations).filter(([, value]) => value !== undefined);
    const made = { ...Object.fromEntries(given), allOf: [{ $ref }, others] };
    this.#made.set(schema, made);
    return made;
  }

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
      found = (found as Keywords)[name]; // the properties of a list are its indexes
    }
    return found;
  }
}

/** The property that a step of a JSON pointer in an address names; a percent sign may stand for itself. */
const nameIn = (step: string): string => pointerName(percentDecoded(step) ?? step);

export function modelNameOf(reference: string): string | null {
  const [, step] = modelForm.exec(reference) ?? [];
  return step === undefined ? null : nameIn(step);
}

/** The own properties of an object; empty for other values. */
export const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** The items of a list; empty for other values. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export interface PlacedOperation {
  /** In lower case, but as it is written for additional operations. */
  readonly method: string;
  /** The name for a webhook. */
  readonly path: string;
  /** Whether the server sends the request, and the client responds. */
  readonly isWebhook: boolean;
  readonly operation: Operation;
  readonly around: PathItem;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

/** The method as clients send it: standard methods are in lower case, additional ones as they are written. */
export const methodOf = ({ method }: { readonly method: string }): string =>
  (methods as readonly string[]).includes(method) ? method.toUpperCase() : method;

/** The operations of a document, then those of its webhooks. */
export const operationsIn = (document: SpecDocument, lookup: Lookup): PlacedOperation[] => [
  ...operationsBelow(lookup, document.paths, false),
  ...operationsBelow(lookup, document.webhooks, true),
];

function operationsBelow(lookup: Lookup, items: SpecDocument["paths"], isWebhook: boolean): PlacedOperation[] {
  return entriesOf(items).flatMap(([path, given]) => {
    const around = lookup.follow(given as OrReference<PathItem>); // the document is valid
    const standard = methods.flatMap((method): [string, unknown][] =>
      Object.hasOwn(around, method) ? [[method, around[method]]] : [],
    );
    return [...standard, ...entriesOf(around.additionalOperations)].flatMap(([method, operation]) =>
      isRecord(operation) ? [{ method, path, isWebhook, operation: operation as Operation, around }] : [],
    );
  });
}

/** The requests of the server after an operation, by the name of the callback. The path is an expression. */
export const callbacksOf = (
  lookup: Lookup,
  { callbacks }: Operation,
): { readonly name: string; readonly placed: PlacedOperation }[] =>
  entriesOf(callbacks).flatMap(([name, given]) =>
    operationsBelow(lookup, lookup.follow(given as OrReference<Callback>), true).map((placed) => ({ name, placed })),
  );

/** The parameters of an operation, which override those of its path. */
export function parametersOf(lookup: Lookup, { operation, around }: PlacedOperation): Parameter[] {
  const all = [...(around.parameters ?? []), ...(operation.parameters ?? [])].map((one) => lookup.follow(one));
  const named = all.filter(({ name }) => typeof name === "string");
  return [...new Map(named.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** The alternatives to authorize an operation; empty if it is open. */
export const securityOf = (document: SpecDocument, { operation }: PlacedOperation): readonly SecurityRequirement[] =>
  operation.security ?? document.security ?? [];

export const serversOf = (document: SpecDocument, { operation, around }: PlacedOperation): readonly SpecServer[] =>
  operation.servers ?? around.servers ?? document.servers ?? [];
