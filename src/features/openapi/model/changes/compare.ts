// Compares two versions of an interface, and finds the changes that break clients. Takes linear time. Runs in threads.
import {
  ChangeCollector,
  type Pair,
  type Place,
  type SpecChanges,
  without,
  type Sender,
} from "#src/features/openapi/model/changes/change.ts";
import { bodiesOf, type OpenDocument, OperationComparison } from "#src/features/openapi/model/changes/operation.ts";
import { parseExact } from "#src/features/openapi/model/exact.ts";
import { SchemaComparison } from "#src/features/openapi/model/changes/schemas.ts";
import {
  entriesOf,
  Lookup,
  modelNameOf,
  operationsIn,
  parametersOf,
  type PlacedOperation,
} from "#src/features/openapi/model/lookup.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { serveTasks } from "#src/runtime/threads.ts";

const everywhere: Place = { operation: null, model: null, within: "" };
const everybody: readonly Sender[] = ["client", "server"];

export function compareDocuments(before: SpecDocument, after: SpecDocument): SpecChanges {
  const changes = new ChangeCollector();
  const documents = { before: openDocument(before), after: openDocument(after) };
  const schemas = new SchemaComparison({ before: documents.before.lookup, after: documents.after.lookup }, changes);
  compareServers(documents, changes);
  compareSecuritySchemes(documents, changes);
  const comparison = new OperationComparison(documents, schemas, changes);
  for (const [key, operation] of documents.after.operations) {
    const was = documents.before.operations.get(key);
    if (was) comparison.compare({ before: was, after: operation });
    else changes.add("operation_added", placeOf(operation), everybody);
  }
  for (const [key, operation] of documents.before.operations)
    if (!documents.after.operations.has(key)) changes.add("operation_removed", placeOf(operation), everybody);
  compareModels(documents, schemas, changes);
  return changes.all;
}

const placeOf = ({ method, path }: PlacedOperation): Place => ({ ...everywhere, operation: { method, path } });

function compareServers({ before, after }: Pair<OpenDocument>, changes: ChangeCollector): void {
  const urlsOf = ({ document }: OpenDocument) => new Set((document.servers ?? []).map(({ url }) => url));
  const [was, is] = [urlsOf(before), urlsOf(after)];
  for (const url of without(is, was)) changes.add("server_added", everywhere, everybody, { after: url });
  for (const url of without(was, is)) changes.add("server_removed", everywhere, everybody, { before: url });
}

/** Compares how callers authorize; descriptions are not compared. */
function compareSecuritySchemes({ before, after }: Pair<OpenDocument>, changes: ChangeCollector): void {
  const old = new Map(entriesOf(before.document.components?.securitySchemes));
  for (const [name, scheme] of entriesOf(after.document.components?.securitySchemes)) {
    if (!old.has(name)) continue;
    const values = { before: schemeText(before.lookup, old.get(name)), after: schemeText(after.lookup, scheme) };
    if (values.before !== values.after)
      changes.add("authorization_changed", { ...everywhere, within: name }, everybody, values);
  }
}

function schemeText(lookup: Lookup, given: unknown): string {
  const { type, name, in: place, scheme } = lookup.follow<Record<string, unknown>>(given as Record<string, unknown>);
  return [type, name, place, scheme].filter((part) => typeof part === "string").join(" ");
}

function compareModels(documents: Pair<OpenDocument>, schemas: SchemaComparison, changes: ChangeCollector): void {
  const { before, after } = documents;
  const old = new Map(entriesOf(before.document.components?.schemas));
  const senders = [before, after].map(({ lookup, operations }) => sendersOfModels(lookup, sentIn(lookup, operations)));
  for (const [model, schema] of entriesOf(after.document.components?.schemas)) {
    const place = { ...everywhere, model };
    if (!old.has(model)) changes.add("model_added", place, everybody);
    else {
      const by = everybody.filter((one) => senders.some((of) => of.get(model)?.has(one)));
      if (by.length > 0) schemas.compareModel({ before: old.get(model), after: schema }, place, by);
    }
    old.delete(model);
  }
  for (const model of old.keys()) changes.add("model_removed", { ...everywhere, model }, everybody);
}

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

function openDocument(document: SpecDocument): OpenDocument {
  const lookup = new Lookup(document);
  const operations = operationsIn(document, lookup).map((placed) => [keyOf(placed), placed] as const);
  return { document, lookup, operations: new Map(operations) };
}

/** Identifies an operation; the names of parameters in its path do not matter. */
const keyOf = ({ method, path, isWebhook }: PlacedOperation): string =>
  isWebhook ? `webhook ${method} ${path}` : `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;

type Sent = { readonly sender: Sender; readonly value: unknown };

/** The senders of each model that these values refer to. Each reference is followed once per sender. */
function sendersOfModels(lookup: Lookup, sent: readonly Sent[]): ReadonlyMap<string, ReadonlySet<Sender>> {
  const models = new Map<string, Set<Sender>>();
  for (const sender of ["client", "server"] as const) {
    const met = new Set<unknown>();
    const open = sent.flatMap((one) => (one.sender === sender ? [one.value] : []));
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value !== "object" || value === null || met.has(value)) continue;
      met.add(value);
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === "string" && !met.has($ref)) {
        met.add($ref);
        const model = modelNameOf($ref);
        if (model !== null) models.set(model, (models.get(model) ?? new Set()).add(sender));
        open.push(lookup.at($ref));
      }
      for (const inner of Object.values(value)) if (typeof inner === "object") open.push(inner);
    }
  }
  return models;
}

// Written by processing.
const parsed = (json: Uint8Array) => parseExact(new TextDecoder().decode(json)) as SpecDocument;

serveTasks(({ before, after }: Pair<Uint8Array>): SpecChanges => compareDocuments(parsed(before), parsed(after)));
