// Manifests of documents: files in which the build of a frontend lists its operations, in the common formats.
import { GraphQLError, Kind } from "graphql";
import { DocumentsError } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import { parseDocument } from "#src/graph/run/document-limits.ts";
import { type Executor, isOperation } from "#src/graph/run/execute.ts";
import { hashOf, type TrustedDocuments } from "#src/graph/documents/sent-documents.ts";

export interface ManifestEntry {
  readonly id: string;
  readonly text: string;
  /** Its position for messages: the file and the line. */
  readonly place: string;
}

const apolloFormat = "apollo-persisted-query-manifest";

/** The documents of a manifest of Apollo, Relay or graphql-codegen. Throws {@link DocumentsError} for anything else. */
export function readManifest(file: string, content: string): ManifestEntry[] {
  const pairs = pairsOf(file, content);
  return pairs.map(([id, text], index) => {
    if (typeof id !== "string" || typeof text !== "string")
      throw new DocumentsError(`${file}: operation ${index + 1} must have an id and a body that are strings`);
    return { id, text, place: `${file}:${lineOf(content, id)}` };
  });
}

function pairsOf(file: string, content: string): (readonly [unknown, unknown])[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(content);
  } catch (error) {
    throw new DocumentsError(`${file}: ${error instanceof Error ? error.message : "not JSON"}`);
  }
  if (!isRecord(manifest)) throw new DocumentsError(`${file}: a manifest must be an object that maps ids to documents`);
  const { format, version, operations } = manifest;
  if (typeof format !== "string") return Object.entries(manifest);
  if (format !== apolloFormat || version !== 1 || !Array.isArray(operations))
    throw new DocumentsError(
      `${file}: the only supported format with a name is ${apolloFormat}, version 1, with operations`,
    );
  return operations.map((one: unknown) => (isRecord(one) ? [one["id"], one["body"]] : [null, null]));
}

const lineOf = (content: string, id: string): number =>
  content.slice(0, Math.max(0, content.indexOf(JSON.stringify(id)))).split("\n").length;

/** Trusts documents. Throws {@link DocumentsError} if one is not valid, or if two have the same id. */
export function trust(entries: readonly ManifestEntry[], executor: Executor): TrustedDocuments {
  const problems = problemsOf(entries, executor);
  const [texts, places] = [new Map<string, string>(), new Map<string, string>()];
  for (const { id, text, place } of entries) {
    if ((texts.get(id) ?? text) !== text)
      problems.push(`${place}: the id "${id}" is already used by another document in ${places.get(id)}`);
    places.set(id, place);
    texts.set(id, text).set(`sha256:${hashOf(text)}`, text);
  }
  if (problems.length > 0) throw new DocumentsError(problems.join("\n"));
  return texts;
}

/** A manifest in Apollo's format, which names the operations as well. */
export function writeManifest(entries: readonly ManifestEntry[]): string {
  const operations = entries.flatMap(({ id, text }) =>
    parseDocument(text).definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION
        ? [{ id, name: node.name?.value ?? null, type: node.operation, body: text }]
        : [],
    ),
  );
  return `${JSON.stringify({ format: apolloFormat, version: 1, operations }, null, 2)}\n`;
}

/** Problems of documents, by the schema and by the rules of ids; one line each. */
export function problemsOf(entries: readonly ManifestEntry[], executor: Executor): string[] {
  return entries.flatMap((entry) => {
    const problems = [...idProblems(entry), ...documentProblems(entry, executor)];
    return problems.map((problem) => `${entry.place}: ${problem}`);
  });
}

function idProblems({ id, text }: ManifestEntry): string[] {
  const colon = id.indexOf(":");
  if (id === "") return ["a document must have an id"];
  if (colon < 0 || id.startsWith("x-")) return [];
  if (!id.startsWith("sha256:")) return [`the id "${id}" must begin with sha256: or x-, or have no colon`];
  return id === `sha256:${hashOf(text)}` ? [] : [`the id "${id}" is not the SHA-256 of its document`];
}

function documentProblems({ text }: ManifestEntry, executor: Executor): string[] {
  try {
    const operations = parseDocument(text).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    if (operations.length === 0) return ["the document must contain an operation"];
    const messages = operations.flatMap(({ name }) => {
      const prepared = executor.prepare(text, name?.value);
      const about = name ? `operation ${name.value}: ` : "";
      return isOperation(prepared) ? [] : prepared.map(({ message }) => about + message);
    });
    return [...new Set(messages)];
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
}
