// Collects the documents of a frontend from its files: each operation with the fragments that it uses.
import { getLocation, GraphQLError, Kind, parse, print, separateOperations, Source, visit } from "graphql";
import { type DocumentNode, type FieldNode, NoUnusedFragmentsRule, specifiedRules, validate } from "graphql";
import { DocumentsError } from "#src/base/errors.ts";
import { hashOf } from "#src/graph/documents/sent-documents.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { type ManifestEntry, problemsOf, readManifest } from "#src/graph/documents/manifests.ts";
import { schema } from "#src/schema.ts";

export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

/** The documents of manifests (*.json) and of other files. Throws {@link DocumentsError} with files and lines. */
export function collectDocuments(files: readonly SourceFile[], typenames: boolean): ManifestEntry[] {
  const isManifest = ({ path }: SourceFile) => path.endsWith(".json");
  const listed = files.filter(isManifest).flatMap(({ path, content }) => readManifest(path, content));
  const others = files.filter((file) => !isManifest(file));
  const entries = [...collectOperations(others, typenames), ...listed];
  const problems = problemsOf(entries, createExecutor(schema));
  if (problems.length > 0) throw new DocumentsError(problems.join("\n"));
  return entries;
}

/** Fragments without a use are allowed: they may be for other operations. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

/** The operations of files, each as its own document; `typenames` adds `__typename` to selections below the top. */
function collectOperations(files: readonly SourceFile[], typenames: boolean): ManifestEntry[] {
  const problems: string[] = [];
  const definitions = files.flatMap((file) => definitionsOf(file, problems));
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  for (const node of definitions)
    if (node.kind === Kind.OPERATION_DEFINITION && !node.name)
      problems.push(`${placeOf(node.loc)}: an operation must have a name`);
  if (problems.length === 0) problems.push(...validate(schema, whole, rules, { maxErrors: 1000 }).map(describeError));
  if (problems.length > 0) throw new DocumentsError(problems.join("\n"));
  return Object.values(separateOperations(whole)).map((document) => {
    const text = print(typenames ? withTypenames(document) : document);
    const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
    return { id: hashOf(text), text, place: placeOf(operation?.loc) };
  });
}

/** Programs with documents in them: only a client's own compiler knows which of their texts are documents. */
const isProgram = (path: string): boolean => /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(path);

const useManifest =
  "is a program, and only files of GraphQL are read: have the compiler of your client write a manifest (*.json), and name that instead";

function definitionsOf({ path, content }: SourceFile, problems: string[]): DocumentNode["definitions"] {
  if (isProgram(path)) {
    problems.push(`${path}: ${useManifest}`);
    return [];
  }
  try {
    return parse(new Source(content, path)).definitions;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    problems.push(describeError(error));
    return [];
  }
}

/** An error with the file and line of each position that it concerns. */
function describeError({ message, source, positions, nodes }: GraphQLError): string {
  const places = nodes?.map(({ loc }) => placeOf(loc)) ?? [];
  const [at] = positions ?? [];
  if (places.length === 0 && source && at !== undefined) places.push(placeOf({ source, start: at }));
  return `${places.join(", ")}: ${message}`;
}

function placeOf(at: { readonly source: Source; readonly start: number } | undefined): string {
  return at ? `${at.source.name}:${getLocation(at.source, at.start).line}` : "?";
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };

function withTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet(set, _key, parent) {
      const isTop = parent !== undefined && "kind" in parent && parent.kind === Kind.OPERATION_DEFINITION;
      const has = set.selections.some((node) => node.kind === Kind.FIELD && node.name.value === "__typename");
      return isTop || has ? undefined : { ...set, selections: [...set.selections, typename] };
    },
  });
}
