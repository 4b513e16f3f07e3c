// The nightly job that removes entries of the audit log after a year.
import type { Database } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import type { Job } from "#src/jobs/job.ts";

/** Retention in days. The database refuses to delete younger entries. */
const keptDays = 365;

async function trimAuditLog(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000);
  return removeOlder(database, { table: "AuditEntry", column: "createdAt", before });
}

export const auditJobs: readonly Job[] = [
  {
    name: "audit.trim",
    schedule: "23 3 * * *",
    removesByAge: true,
    async run({ database, clock, log }) {
      const entries = await trimAuditLog(database, clock.now());
      if (entries > 0) log.info({ entries }, "old entries of the audit log removed");
    },
  },
];
