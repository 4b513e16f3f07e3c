// The database of an operation that reads from a replica, and falls back to the primary where it cannot.
import pg from "pg";
import type { Database, Reads } from "#src/db/connection/database.ts";
import { isOutage, PoolFullError } from "#src/db/connection/database-errors.ts";

/** Whether a replica rejected a statement that conflicts with its replay (serialization_failure), or that writes. */
const isOwnRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "25006");

/**
 * Statements go to the replica up to the first that it cannot run, or until the operation uses Prisma, by which it may
 * write and read its writes; then to the primary. `lost` is called if the replica is unreachable.
 */
export function readingDatabase(primary: Database, replica: Reads, lost: (error: unknown) => void): Database {
  let from: Reads = replica;
  async function ask<Answer>(send: (reads: Reads) => Promise<Answer>): Promise<Answer> {
    const asked = from;
    if (asked === primary) return send(primary);
    try {
      return await send(asked);
    } catch (error) {
      const isPassing = isOwnRefusal(error);
      if (!isPassing && (!isOutage(error) || error instanceof PoolFullError)) throw error;
      if (!isPassing) lost(error);
      from = primary;
      return send(primary);
    }
  }
  return {
    ...primary,
    get prisma() {
      from = primary;
      return primary.prisma;
    },
    query: (statement, options) => ask((reads) => reads.query(statement, options)),
    rows: (statement) => ask((reads) => reads.rows(statement)),
  };
}
