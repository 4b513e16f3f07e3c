// Taking turns: of the transactions that want the same, on all gateways, one goes on at a time.
import type { Transaction } from "#src/domain/change.ts";

/** Waits until no other transaction has the turn of this name, and keeps it until this transaction ends. */
export async function takeTurn(transaction: Transaction, name: string): Promise<void> {
  await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
