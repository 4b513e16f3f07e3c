// How writers protect what they did not store themselves from the collector (commands/collect.ts says why this is
// enough).
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";

/** Ends an insert of content by its hash: an existing row is marked as stored now, and locked by the transaction. */
export const orStoreAnew: Sql = sql`on conflict (hash) do update set "storedAt" = excluded."storedAt"`;

type BlobUse = (hash: Sql) => Sql;

const blobUses: BlobUse[] = [(hash) => sql`exists (select from "ContentFile" f where f.blob = ${hash})`];

/** Says what else uses blobs: a condition, by an index, on the SQL of a hash. What it holds for is not removed. */
export function defineBlobUse(isUsed: BlobUse): void {
  blobUses.push(isUsed);
}

/** Whether something uses the blob, by the SQL of its hash. */
export const isBlobUsed: BlobUse = (hash) =>
  sql`(${joinSql(
    blobUses.map((isUsed) => isUsed(hash)),
    " or ",
  )})`;

/** The name of the lock of a blob: some blobs share one, so that any number of them needs few locks. */
const lockOf = (hash: string): string => `blob ${hash.slice(0, 2)}`;

/** Locks blobs until the transaction ends: they are not removed meanwhile. Others may lock them, too. */
export async function holdBlobs(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  const locks = [...new Set(hashes.map(lockOf))].toSorted();
  await transaction.$executeRaw(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(u.name, 0)) from unnest(${locks}::text[]) u(name)`,
  );
}

/**
 * Locks a blob alone until the transaction ends, to remove it: nobody can start to use it meanwhile. False when
 * somebody uses it; it does not wait for them, since all that come later would wait too.
 */
export async function tryLockBlob(transaction: Transaction, hash: string): Promise<boolean> {
  const [lock] = await transaction.$queryRaw<{ taken: boolean }[]>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(hash)}, 0)) as taken`,
  );
  return lock?.taken ?? false;
}
