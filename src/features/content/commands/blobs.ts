// Blobs in file storage: the columns that reference them, the locks that protect them from garbage collection, and
// their verification.
import { type Database, identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { createHash } from "node:crypto";
import { type FileStore, isReadError } from "#src/files/file-store.ts";

/** Ends an insert of content by its hash: an existing row gets the current time, and is locked by the transaction. */
export const orMarkStored: Sql = sql`on conflict (hash) do update set "storedAt" = excluded."storedAt"`;

/** An indexed column that references blobs: one per row or, with `isList`, an array of them. */
interface BlobColumn {
  readonly table: Prisma.ModelName;
  readonly column: string;
  readonly isList?: true;
}

const columns: BlobColumn[] = [{ table: "ContentFile", column: "blob" }];

export const blobColumns: readonly BlobColumn[] = columns;

/** Registers columns of a feature that reference blobs: these blobs are not collected, and are backed up. */
export function defineBlobColumns(...more: readonly BlobColumn[]): void {
  columns.push(...more);
}

/** Whether a row references the blob with this hash. */
export const isBlobUsed = (hash: Sql): Sql =>
  sql`(${joinSql(
    columns.map(({ table, column, isList }) => {
      const isNamed = isList ? sql`@> array[${hash}]` : sql`= ${hash}`;
      return sql`exists (select from ${identifier(table)} t where ${identifier("t", column)} ${isNamed})`;
    }),
    " or ",
  )})`;

/** The first distinct referenced blobs after a hash, in order: rows with a `hash`. */
export const usedBlobsAfter = (last: string, limit: number): Sql =>
  sql`select hash from (${joinSql(
    columns.map(({ table, column, isList }) => {
      const named = identifier("t", column);
      const [from, hash] = isList
        ? [sql`${identifier(table)} t cross join lateral unnest(${named}) u(hash)`, sql`u.hash`]
        : [sql`${identifier(table)} t`, named];
      return sql`(select distinct ${hash} as hash from ${from} where ${hash} > ${last}::text order by 1 limit ${limit}::int)`;
    }),
    " union ",
  )}) b order by hash limit ${limit}::int`;

/** The name of the lock of a blob. Blobs share 4,096 locks, so that any number of blobs needs few of them. */
const lockOf = (hash: string): string => `blob ${hash.slice(0, 2)}`;

/** Locks blobs in shared mode until the transaction ends, to prevent their removal. */
export async function lockBlobs(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  const locks = [...new Set(hashes.map(lockOf))].toSorted();
  await transaction.$executeRaw(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(u.name, 0)) from unnest(${locks}::text[]) u(name)`,
  );
}

/** Locks a blob exclusively, to remove it. Returns false if it is locked: waiting would block all later writers. */
export async function tryLockBlob(transaction: Transaction, hash: string): Promise<boolean> {
  const [lock] = await transaction.$queryRaw<{ taken: boolean }[]>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(hash)}, 0)) as taken`,
  );
  return lock?.taken ?? false;
}

export type BlobState = "ok" | "missing" | "damaged";

/** Number of blobs found in each state since the process started. */
export const verifiedBlobs: Record<BlobState, number> = { ok: 0, missing: 0, damaged: 0 };

/** Limits of one run. No further blob is read once the limit of bytes is reached. */
const limits = { blobs: 500, bytes: 1_000_000_000 } as const;

/** Compares blobs with their hashes, starting after `from`. Returns the missing and damaged ones. */
export async function verifyBlobs(
  { database, files }: { database: Database; files: Pick<FileStore, "open"> },
  from: string,
  { blobs, bytes }: { readonly blobs: number; readonly bytes: number } = limits,
): Promise<Record<Exclude<BlobState, "ok">, string[]>> {
  const behind = await database.query<{ hash: string }>(usedBlobsAfter(from, blobs));
  const before = await database.query<{ hash: string }>(usedBlobsAfter("", blobs - behind.length));
  const found = { missing: [] as string[], damaged: [] as string[] };
  let left = bytes;
  for (const hash of new Set([...behind, ...before].map((row) => row.hash))) {
    if (left <= 0) break;
    const { state, size } = await verifyBlob(files, hash);
    left -= size;
    verifiedBlobs[state]++;
    if (state !== "ok") found[state].push(hash);
  }
  return found;
}

/** Reads a blob to its end, or to the first byte that the disk cannot read: the blob is damaged then. */
async function verifyBlob(files: Pick<FileStore, "open">, hash: string): Promise<{ state: BlobState; size: number }> {
  const sum = createHash("sha256");
  let size = 0;
  try {
    const stream = await files.open(hash);
    if (stream === null) return { state: "missing", size };
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if (!isReadError(error)) throw error;
    return { state: "damaged", size };
  }
  return { state: sum.digest("hex") === hash ? "ok" : "damaged", size };
}
