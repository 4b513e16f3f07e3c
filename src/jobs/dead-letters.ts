// Jobs that were given up: they are kept for 14 days, so that people can look at them.
import { type Queries, sql } from "#src/db/connection/database.ts";

/** The queue in which they end. */
export const deadLetterQueue = "dead-letter";

/** How many there are; null where no process has run jobs on this database yet. */
export async function countDeadLetters(database: Queries): Promise<number | null> {
  const [table] = await database.query<{ isThere: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as "isThere"`,
  );
  if (!table?.isThere) return null;
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job where name = ${deadLetterQueue}`,
  );
  return row?.count ?? 0;
}
