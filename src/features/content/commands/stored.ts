// How writers hold what they count on, and did not store themselves, against the collector (commands/collect.ts says why this is enough).
import { type Sql, sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";

/** Ends an insert of content by its hash: a row that is there already is stored anew, and held until the transaction ends. */
export const orStoreAnew: Sql = sql`on conflict (hash) do update set "storedAt" = excluded."storedAt"`;

/** What the lock of a blob is taken on: some blobs share one, so that any number of them need few. */
const lockOf = (hash: string): string => `blob ${hash.slice(0, 2)}`;

/** Holds blobs until the transaction ends: they are not removed meanwhile. Others may hold them, too. */
export async function holdBlobs(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  const locks = [...new Set(hashes.map(lockOf))].toSorted();
  await transaction.$executeRaw(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(u.name, 0)) from unnest(${locks}::text[]) u(name)`,
  );
}

/**
 * Has a blob alone until the transaction ends, to remove it: nobody comes to count on its being there meanwhile. False when somebody does; it does not
 * wait for them, since whoever comes behind would wait too.
 */
export async function tryLockBlob(transaction: Transaction, hash: string): Promise<boolean> {
  const [lock] = await transaction.$queryRaw<{ taken: boolean }[]>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(hash)}, 0)) as taken`,
  );
  return lock?.taken ?? false;
}
