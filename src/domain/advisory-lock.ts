// Advisory locks: of the transactions that take the lock of a name, on all gateways, one goes on at a time.
import type { Transaction } from "#src/domain/change.ts";

/** Waits for the lock, and holds it until the transaction ends. */
export async function takeAdvisoryLock(transaction: Transaction, name: string): Promise<void> {
  await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
