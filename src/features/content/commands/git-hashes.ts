// Noting down the hashes that Git has of texts and files which were stored before these were kept.
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { gitBlob, gitBlobOf } from "#src/features/content/model/git.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** Rows that are read at a time: the largest texts together have some 50 MB. */
const batchSize = 100;

interface Unhashed {
  readonly hash: string;
}

/** All rows of a statement that takes where it goes on, batch by batch. */
async function* rowsOf<Row extends Unhashed>(database: Database, after: (hash: string) => Sql): AsyncGenerator<Row> {
  for (let last: string | undefined = ""; last !== undefined;) {
    const rows: Row[] = await database.query<Row>(after(last));
    yield* rows;
    last = rows.at(-1)?.hash;
  }
}

/**
 * Hashes all texts and files that have no hash of Git yet, and answers how many. Files whose bytes are not in the store
 * stay without. After an interruption it starts from the beginning.
 */
export async function fillGitHashes(database: Database, files: Pick<FileStore, "open">): Promise<number> {
  let filled = 0;
  const texts = (last: string) =>
    sql`select hash, markdown from "ContentDocument" where oid is null and hash > ${last} order by hash limit ${batchSize}::int`;
  for await (const { hash, markdown } of rowsOf<Unhashed & { markdown: string }>(database, texts)) {
    await database.prisma.contentDocument.updateMany({ where: { hash }, data: { oid: gitBlob(markdown) } });
    filled++;
  }
  const unhashed = (last: string) =>
    sql`select hash, blob, size from "ContentFile" where oid is null and hash > ${last} order by hash limit ${batchSize}::int`;
  for await (const { hash, blob, size } of rowsOf<Unhashed & { blob: string; size: number }>(database, unhashed)) {
    const bytes = await files.open(blob);
    if (!bytes) continue;
    await database.prisma.contentFile.updateMany({ where: { hash }, data: { oid: await gitBlobOf(bytes, size) } });
    filled++;
  }
  return filled;
}
