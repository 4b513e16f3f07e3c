// Processing the sources that are due: those of processes that are gone, and those at addresses, again and again.
import { sql } from "#src/db/connection/database.ts";
import { processSource } from "#src/features/openapi/commands/process-source.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** How long, in milliseconds, one run begins new ones. */
const runMs = 10 * 60_000;

/** How many are processed at a time, each of another organization: a slow one holds up no other for long. */
const atATime = 4;

/** Processes the sources that are due, those due first before others. Answers how many there were. */
export async function processDueSources(job: JobContext): Promise<number> {
  const { database, clock } = job;
  const until = clock.now().getTime() + runMs;
  const seen: string[] = [];
  for (;;) {
    const now = clock.now();
    const due = await database.query<{ id: string }>(sql`
      select f.id from (select distinct on (s."organizationId") s.id, s."dueAt" from "OpenApiSpec" s
        where s."dueAt" <= ${now} and (s."leaseUntil" is null or s."leaseUntil" < ${now})
          and s.id <> all(${seen}::text[])
        order by s."organizationId", s."dueAt") f
      order by f."dueAt" limit ${atATime}::int`);
    if (due.length === 0 || now.getTime() > until) return seen.length;
    seen.push(...due.map(({ id }) => id));
    await Promise.all(due.map(({ id }) => processSource(job, id, new AbortController().signal)));
  }
}
