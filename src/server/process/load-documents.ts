// Reading the manifests of trusted documents: the files that the configuration names, and those in the folders.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DocumentsError } from "#src/base/errors.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { readManifest, trust } from "#src/graph/documents/manifests.ts";
import type { TrustedDocuments } from "#src/graph/documents/sent-documents.ts";
import { schema } from "#src/schema.ts";

/** Throws {@link DocumentsError} for what is not a manifest, and for documents that are not valid in the schema. */
export async function loadDocuments(paths: readonly string[]): Promise<TrustedDocuments> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const entries = await Promise.all(files.map(async (file) => readManifest(file, await readFile(file, "utf8"))));
  return trust(entries.flat(), createExecutor(schema));
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).toSorted();
  if (names.length === 0)
    throw new DocumentsError(`${path}: there is no manifest in the folder, that is no file *.json`);
  return names.map((name) => join(path, name));
}
