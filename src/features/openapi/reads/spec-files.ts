// Reads the documents and the parsed files of versions from the file storage.
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

type At = Pick<Context, "database" | "files">;

/** The document of a version as a stream of JSON; null if missing of this id. Callers check who may see it. */
export async function openSpecDocument({ database, files }: At, versionId: string): Promise<Readable | null> {
  const [version] = await database.query<{ document: string }>(
    sql`select v."document" from "OpenApiSpecVersion" v where v.id = ${versionId}`,
  );
  return version ? files.open(version.document) : null;
}

/** The parsed document of a version: some megabytes for the largest. */
export async function readSpecDocument(at: At, versionId: string): Promise<SpecDocument | null> {
  const bytes = await openSpecDocument(at, versionId);
  return bytes ? ((await json(bytes)) as SpecDocument) : null; // nothing else is stored under `document`
}

/**
 * The parsed files of a version by path; `filesystem` is their blob. INVALID_INPUT beyond the budget of the operation.
 */
export async function readFilesystem({ files, reader }: Context, filesystem: string): Promise<unknown> {
  const [stored, bytes] = [await files.find(filesystem), await files.open(filesystem)];
  if (!stored || !bytes) throw new Error(`The files ${filesystem} are not in the store`);
  try {
    reader.budget.takeText(stored.size);
  } catch (error) {
    bytes.destroy();
    throw error;
  }
  return json(bytes);
}
