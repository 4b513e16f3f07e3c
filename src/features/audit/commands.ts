// Removing what of the audit log is older than a year.
import { type Database, sql } from "#src/db/database.ts";

/** How long entries are kept, in days. The database refuses to remove younger ones. */
const keptDays = 365;

/** The most entries removed by one statement, so that none takes long. */
const batch = 10_000;

/** Removes old entries, and answers how many. */
export async function trimAuditLog(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000).toISOString();
  let total = 0;
  for (let count = batch; count === batch; total += count) {
    const removed = await database.query<{ count: number }>(sql`
      with gone as (
        delete from "AuditEntry" where id in (
          select e.id from "AuditEntry" e where e."createdAt" < ${before}::timestamptz limit ${batch})
        returning id)
      select count(*)::int from gone`);
    count = removed[0]?.count ?? 0;
  }
  return total;
}
