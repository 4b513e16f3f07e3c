// Reads the manifests of trusted documents: the configured files, and those in configured folders.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DocumentsError } from "#src/base/errors.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { readManifest, trust } from "#src/graph/documents/manifests.ts";
import type { TrustedDocuments } from "#src/graph/documents/sent-documents.ts";
import { schema } from "#src/schema.ts";

/** Throws {@link DocumentsError} if a file is not a manifest, and for documents that are not valid in the schema. */
export async function loadDocuments(paths: readonly string[]): Promise<TrustedDocuments> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const entries = await Promise.all(files.map(async (file) => readManifest(file, await readFile(file, "utf8"))));
  return trust(entries.flat(), createExecutor(schema));
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).toSorted();
  if (names.length === 0) throw new DocumentsError(`${path}: the folder does not contain a manifest (a file *.json)`);
  return names.map((name) => join(path, name));
}
