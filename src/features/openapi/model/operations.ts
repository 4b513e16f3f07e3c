// The operations of a document, in its order.
import { entriesOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
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

/** An operation in its place. */
export interface PlacedOperation {
  readonly method: SpecMethod;
  /** Of a webhook its name. */
  readonly path: string;
  /** Whether the server is the one who calls. */
  readonly isWebhook: boolean;
  readonly operation: Operation;
  readonly around: PathItem;
}

const methods: readonly SpecMethod[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The operations of a document, and after them those of its webhooks. */
export const operationsIn = (document: SpecDocument, lookup: Lookup): PlacedOperation[] => [
  ...operationsBelow(lookup, document.paths, false),
  ...operationsBelow(lookup, document.webhooks, true),
];

function operationsBelow(lookup: Lookup, items: SpecDocument["paths"], isWebhook: boolean): PlacedOperation[] {
  return entriesOf(items).flatMap(([path, given]) => {
    const around = lookup.follow(given as OrReference<PathItem>); // it is one by its place
    return methods.flatMap((method) => {
      const operation = Object.hasOwn(around, method) ? around[method] : undefined;
      return operation ? [{ method, path, isWebhook, operation, around }] : [];
    });
  });
}

/** What the server calls after an operation, under the name of the callback. The path is an expression. */
export const callbacksOf = (
  lookup: Lookup,
  { callbacks }: Operation,
): { readonly name: string; readonly placed: PlacedOperation }[] =>
  entriesOf(callbacks).flatMap(([name, given]) =>
    operationsBelow(lookup, lookup.follow(given as OrReference<Callback>), true).map((placed) => ({ name, placed })),
  );

/** What an operation takes: its own parameters prevail over those of its path. */
export function parametersOf(lookup: Lookup, { operation, around }: PlacedOperation): Parameter[] {
  const all = [...(around.parameters ?? []), ...(operation.parameters ?? [])].map((one) => lookup.follow(one));
  const named = all.filter(({ name }) => typeof name === "string");
  return [...new Map(named.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** The ways in which callers of an operation are authorized; none where it is open. */
export const securityOf = (document: SpecDocument, { operation }: PlacedOperation): readonly SecurityRequirement[] =>
  operation.security ?? document.security ?? [];

/** The servers of an operation: its own, those of its path, or those of the document. */
export const serversOf = (document: SpecDocument, { operation, around }: PlacedOperation): readonly SpecServer[] =>
  operation.servers ?? around.servers ?? document.servers ?? [];
