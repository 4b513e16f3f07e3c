// The database of an operation that reads from a replica, and falls back to the primary where it cannot.
import pg from "pg";
import type { Database, Reads } from "#src/db/connection/database.ts";
import { isOutage, PoolFullError } from "#src/db/connection/database-errors.ts";

/** A statement that the replica ended because it was in the way of what it replays (serialization_failure). */
const inTheWay = "40001";
/** A statement that writes (read_only_sql_transaction). */
const writes = "25006";

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined);

/**
 * Statements go to the replica, up to the first that it cannot answer, and those after it to the primary; so do all
 * once the operation has asked for Prisma, by which it may write, so that it reads what it has written. `lost` is told
 * of a replica that cannot be reached.
 */
export function readingDatabase(primary: Database, replica: Reads, lost: (error: unknown) => void): Database {
  let from: Reads = replica;
  async function ask<Answer>(send: (reads: Reads) => Promise<Answer>): Promise<Answer> {
    const asked = from;
    if (asked === primary) return send(primary);
    try {
      return await send(asked);
    } catch (error) {
      const code = codeOf(error);
      const isPassing = code === inTheWay || code === writes;
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
