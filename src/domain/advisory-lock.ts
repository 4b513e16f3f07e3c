// Advisory locks: on all gateways together, at most one transaction at a time has the lock of a name.
import type { Transaction } from "#src/domain/change.ts";

/** Waits for the lock, and keeps it until the transaction ends. */
export async function takeAdvisoryLock(transaction: Transaction, name: string): Promise<void> {
  await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
