// Blobs of the file storage: the columns that name them, the locks that keep the collector from them, and their
// verification.
import { type Database, identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { createHash } from "node:crypto";
import type { FileStore } from "#src/files/file-store.ts";

/** Ends an insert of content by its hash: an existing row is marked as stored now, and locked by the transaction. */
export const orMarkStored: Sql = sql`on conflict (hash) do update set "storedAt" = excluded."storedAt"`;

/** A column that names blobs of the file storage: by an index, one in each row, or with `isList` an array of them. */
interface BlobColumn {
  readonly table: Prisma.ModelName;
  readonly column: string;
  readonly isList?: true;
}

const columns: BlobColumn[] = [{ table: "ContentFile", column: "blob" }];

export const blobColumns: readonly BlobColumn[] = columns;

/** Says which columns of a feature name blobs: what one of them names is not removed, and is backed up. */
export function defineBlobColumns(...more: readonly BlobColumn[]): void {
  columns.push(...more);
}

/** Whether something uses the blob, by the SQL of its hash. */
export const isBlobUsed = (hash: Sql): Sql =>
  sql`(${joinSql(
    columns.map(({ table, column, isList }) => {
      const isNamed = isList ? sql`@> array[${hash}]` : sql`= ${hash}`;
      return sql`exists (select from ${identifier(table)} t where ${identifier("t", column)} ${isNamed})`;
    }),
    " or ",
  )})`;

/** The first blobs that something uses behind a hash, each once, in their order: rows with a `hash`. */
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

/** The name of the lock of a blob: some blobs share one, so that any number of them needs few locks. */
const lockOf = (hash: string): string => `blob ${hash.slice(0, 2)}`;

/** Locks blobs until the transaction ends: they are not removed meanwhile. Others may lock them, too. */
export async function lockBlobs(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  const locks = [...new Set(hashes.map(lockOf))].toSorted();
  await transaction.$executeRaw(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(u.name, 0)) from unnest(${locks}::text[]) u(name)`,
  );
}

/** Locks a blob exclusively, to remove it. False when it is in use: waiting would make all later writers wait, too. */
export async function tryLockBlob(transaction: Transaction, hash: string): Promise<boolean> {
  const [lock] = await transaction.$queryRaw<{ taken: boolean }[]>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(hash)}, 0)) as taken`,
  );
  return lock?.taken ?? false;
}

export type BlobState = "ok" | "missing" | "damaged";

/** How many blobs this process has found in each state, since it started. */
export const verifiedBlobs: Record<BlobState, number> = { ok: 0, missing: 0, damaged: 0 };

/** What one run reads at most: so many blobs, and none after so many bytes. */
const limits = { blobs: 500, bytes: 1_000_000_000 } as const;

/** Compares blobs with their hashes, those behind `from` first. Returns the ones that are missing or damaged. */
export async function verifyBlobs(
  { database, files }: { database: Database; files: Pick<FileStore, "open"> },
  from: string,
  { blobs, bytes }: { readonly blobs: number; readonly bytes: number } = limits,
): Promise<Record<Exclude<BlobState, "ok">, string[]>> {
  const behind = await database.query<{ hash: string }>(usedBlobsAfter(from, blobs));
  const before = await database.query<{ hash: string }>(usedBlobsAfter("", blobs - behind.length));
  const found = { missing: [] as string[], damaged: [] as string[] };
  let read = 0;
  for (const hash of new Set([...behind, ...before].map((row) => row.hash))) {
    if (read >= bytes) break;
    const stream = await files.open(hash);
    const sum = createHash("sha256");
    for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
      sum.update(chunk);
      read += chunk.length;
    }
    const state = stream === null ? "missing" : sum.digest("hex") === hash ? "ok" : "damaged";
    verifiedBlobs[state]++;
    if (state !== "ok") found[state].push(hash);
  }
  return found;
}
