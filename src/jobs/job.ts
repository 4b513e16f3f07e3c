// The shape of a job: work done once for all processes, at scheduled times or per message of a queue; and dead jobs.
import type { Logger } from "pino";
import type { Charge } from "#src/runtime/tenant.ts";
import type { Clock } from "#src/base/time.ts";
import { type Database, type Queries, sql } from "#src/db/connection/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { Translator } from "#src/base/translator.ts";
import type { ReadTxtRecords } from "#src/net/txt-records.ts";

/** The argument of a job. It has no viewer: users have started what it does for them. */
export interface JobContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  /** Translates texts; absent if translation is off. */
  readonly translator?: Translator | undefined;
  /** Charges work to users; absent if costs are not counted. */
  readonly charge?: Charge | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readTxtRecords: ReadTxtRecords;
  /** Aborted when the process stops: long work leaves its row to other processes. */
  readonly stopping?: AbortSignal | undefined;
}

/** Repeated work. A run that its process did not finish is run again: it must be idempotent. */
export interface Job {
  /** Its noun and verb, such as `space.purge`; the schedule is stored under this name. */
  readonly name: `${string}.${string}`;
  /** A cron expression, in UTC; null for work per message of its queue. */
  readonly schedule: string | null;
  /** Set to run it at every start of a process, too. */
  readonly atStart?: true;
  /** Set if it resumes the long work of others: a process that stops has it run at once elsewhere. */
  readonly resumes?: true;
  /** Set if it deletes by age: it does not run while clocks are known to be wrong. */
  readonly removesByAge?: true;
  readonly run: (context: JobContext, message?: unknown) => Promise<void>;
}

/** The queue of jobs that failed for good: they are kept for 14 days for inspection. */
export const deadLetterQueue = "dead-letter";

/** The numbers of dead jobs: all, and of the last hour; null if no process has run jobs on this database yet. */
export async function countDeadLetters(database: Queries): Promise<{ all: number; lastHour: number } | null> {
  const [table] = await database.query<{ isThere: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as "isThere"`,
  );
  if (!table?.isThere) return null;
  const [row] = await database.query<{ all: number; lastHour: number }>(
    sql`select count(*)::int as "all", (count(*) filter (where created_on > now() - interval '1 hour'))::int as "lastHour"
      from pgboss.job where name = ${deadLetterQueue}`,
  );
  return row ?? { all: 0, lastHour: 0 };
}
