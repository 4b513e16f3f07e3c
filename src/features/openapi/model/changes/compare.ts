// Comparing two versions of an interface: what was added, removed and changed, and whether that breaks clients. The
// time goes by the size of both documents.
import { Found, type Pair, type Place, type SpecChanges, without } from "#src/features/openapi/model/changes/change.ts";
import { type Sent, sendersOfModels } from "#src/features/openapi/model/changes/model-senders.ts";
import { openDocument, type OpenDocument } from "#src/features/openapi/model/changes/open-document.ts";
import { bodiesOf, OperationComparison } from "#src/features/openapi/model/changes/operation.ts";
import type { Sender } from "#src/features/openapi/model/changes/rules.ts";
import { SchemaComparison } from "#src/features/openapi/model/changes/schemas.ts";
import { entriesOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { parametersOf, type PlacedOperation } from "#src/features/openapi/model/operations.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

const everywhere: Place = { operation: null, model: null, within: "" };
const everybody: readonly Sender[] = ["client", "server"];

/** What has changed from one document to another. */
export function compareDocuments(before: SpecDocument, after: SpecDocument): SpecChanges {
  const found = new Found();
  const documents = { before: openDocument(before), after: openDocument(after) };
  const schemas = new SchemaComparison({ before: documents.before.lookup, after: documents.after.lookup }, found);
  compareServers(documents, found);
  compareSchemes(documents, found);
  const comparison = new OperationComparison(documents, schemas, found);
  for (const [key, operation] of documents.after.operations) {
    const was = documents.before.operations.get(key);
    if (was) comparison.compare({ before: was, after: operation });
    else found.add("operation_added", placeOf(operation), everybody);
  }
  for (const [key, operation] of documents.before.operations)
    if (!documents.after.operations.has(key)) found.add("operation_removed", placeOf(operation), everybody);
  compareModels(documents, schemas, found);
  return found.all;
}

const placeOf = ({ method, path }: PlacedOperation): Place => ({ ...everywhere, operation: { method, path } });

function compareServers({ before, after }: Pair<OpenDocument>, found: Found): void {
  const urlsOf = ({ document }: OpenDocument) => new Set((document.servers ?? []).map(({ url }) => url));
  const [was, is] = [urlsOf(before), urlsOf(after)];
  for (const url of without(is, was)) found.add("server_added", everywhere, everybody, { after: url });
  for (const url of without(was, is)) found.add("server_removed", everywhere, everybody, { before: url });
}

/** What says how callers are known, not what it says of that. */
function compareSchemes({ before, after }: Pair<OpenDocument>, found: Found): void {
  const old = new Map(entriesOf(before.document.components?.securitySchemes));
  for (const [name, scheme] of entriesOf(after.document.components?.securitySchemes)) {
    if (!old.has(name)) continue;
    const values = { before: wayOf(before.lookup, old.get(name)), after: wayOf(after.lookup, scheme) };
    if (values.before !== values.after)
      found.add("authorization_changed", { ...everywhere, within: name }, everybody, values);
  }
}

function wayOf(lookup: Lookup, given: unknown): string {
  const { type, name, in: place, scheme } = lookup.follow<Record<string, unknown>>(given as Record<string, unknown>);
  return [type, name, place, scheme].filter((part) => typeof part === "string").join(" ");
}

function compareModels(documents: Pair<OpenDocument>, schemas: SchemaComparison, found: Found): void {
  const { before, after } = documents;
  const old = new Map(entriesOf(before.document.components?.schemas));
  const senders = [before, after].map(({ lookup, operations }) => sendersOfModels(lookup, sentIn(lookup, operations)));
  for (const [model, schema] of entriesOf(after.document.components?.schemas)) {
    const place = { ...everywhere, model };
    if (!old.has(model)) found.add("model_added", place, everybody);
    else {
      const by = everybody.filter((one) => senders.some((of) => of.get(model)?.has(one)));
      if (by.length > 0) schemas.compareModel({ before: old.get(model), after: schema }, place, by);
    }
    old.delete(model);
  }
  for (const model of old.keys()) found.add("model_removed", { ...everywhere, model }, everybody);
}

/** All that is sent. */
function sentIn(lookup: Lookup, operations: OpenDocument["operations"]): Sent[] {
  return [...operations.values()].flatMap((placed) => {
    const { client, server } = bodiesOf(placed);
    return [
      { sender: "client" as const, value: parametersOf(lookup, placed) },
      { sender: "client" as const, value: client },
      { sender: "server" as const, value: server },
    ];
  });
}
