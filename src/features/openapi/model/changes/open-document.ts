// A document that is compared: its operations by what they are called by.
import { Lookup } from "#src/features/openapi/model/lookup.ts";
import { operationsIn, type PlacedOperation } from "#src/features/openapi/model/operations.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

export interface OpenDocument {
  readonly document: SpecDocument;
  readonly lookup: Lookup;
  readonly operations: ReadonlyMap<string, PlacedOperation>;
}

/** Opens a document. */
export function openDocument(document: SpecDocument): OpenDocument {
  const lookup = new Lookup(document);
  const operations = operationsIn(document, lookup).map((placed) => [keyOf(placed), placed] as const);
  return { document, lookup, operations: new Map(operations) };
}

/** What an operation is called by: the names of parameters in its path do not matter. */
const keyOf = ({ method, path, isWebhook }: PlacedOperation): string =>
  isWebhook ? `webhook ${method} ${path}` : `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;
