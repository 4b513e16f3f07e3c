// The job of the audit log: what is older than a year is removed every night.
import { trimAuditLog } from "#src/features/audit/commands.ts";
import type { Job } from "#src/jobs/job.ts";

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
