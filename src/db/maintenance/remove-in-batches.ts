// Removing many rows by statements of their own, so that none takes long and what others do goes on in between.
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";

/** The most rows removed by one statement. */
const batch = 10_000;

/** Runs a `delete` that removes at most so many rows until there are no more. Answers how many it has removed. */
export async function removeInBatches(
  database: Pick<Database, "query">,
  deletion: (most: number) => Sql,
): Promise<number> {
  let total = 0;
  for (let count = batch; count === batch; total += count) {
    const removed = await database.query<{ count: number }>(
      sql`with gone as (${deletion(batch)} returning 1) select count(*)::int from gone`,
    );
    count = removed[0]?.count ?? 0;
  }
  return total;
}
