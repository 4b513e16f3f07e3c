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
  SpecMethod,
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

const modelForm = /^#\/components\/schemas\/([^/]+)$/;

export class Lookup {
  readonly #document: SpecDocument;
  readonly #found = new Map<string, unknown>();

  constructor(document: SpecDocument) {
    this.#document = document;
  }

  /** Follows references; an empty object without a target. */
  follow<Value extends object>(value: OrReference<Value> | undefined): Value {
    let found: unknown = value;
    for (let step = 0; step < chainLimit && isRecord(found) && typeof found["$ref"] === "string"; step++)
      found = this.at(found["$ref"]);
    return (isRecord(found) && typeof found["$ref"] !== "string" ? found : {}) as Value; // the document is valid
  }

  /** Follows the references of a schema. Keywords beside a reference override those of its target. */
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
  readonly method: SpecMethod;
  /** The name for a webhook. */
  readonly path: string;
  /** Whether the server sends the request, and the client responds. */
  readonly isWebhook: boolean;
  readonly operation: Operation;
  readonly around: PathItem;
}

const methods: readonly SpecMethod[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The operations of a document, then those of its webhooks. */
export const operationsIn = (document: SpecDocument, lookup: Lookup): PlacedOperation[] => [
  ...operationsBelow(lookup, document.paths, false),
  ...operationsBelow(lookup, document.webhooks, true),
];

function operationsBelow(lookup: Lookup, items: SpecDocument["paths"], isWebhook: boolean): PlacedOperation[] {
  return entriesOf(items).flatMap(([path, given]) => {
    const around = lookup.follow(given as OrReference<PathItem>); // the document is valid
    return methods.flatMap((method) => {
      const operation = Object.hasOwn(around, method) ? around[method] : undefined;
      return operation ? [{ method, path, isWebhook, operation, around }] : [];
    });
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
