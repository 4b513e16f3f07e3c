// Reading the documents of versions, which are in the file storage.
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

type At = Pick<Context, "database" | "files">;

/**
 * The bytes of the document of a version, which is JSON; null where there is none of this id. Its place is found by one
 * statement. It does not ask who may see it: callers make what is derived from it, for those who may see that.
 */
export async function openSpecDocument({ database, files }: At, versionId: string): Promise<Readable | null> {
  const [version] = await database.query<{ document: string }>(
    sql`select v."document" from "OpenApiSpecVersion" v where v.id = ${versionId}`,
  );
  return version ? files.open(version.document) : null;
}

/** The same, parsed: some megabytes for the largest. */
export async function readSpecDocument(at: At, versionId: string): Promise<SpecDocument | null> {
  const bytes = await openSpecDocument(at, versionId);
  return bytes ? ((await json(bytes)) as SpecDocument) : null; // nothing else is stored under `document`
}
