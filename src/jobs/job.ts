// The shape of a job: work done once for all processes, at set times or for each message of a queue; and dead jobs.
import type { Logger } from "pino";
import type { Charge } from "#src/runtime/tenant.ts";
import type { Clock } from "#src/base/time.ts";
import { type Database, type Queries, sql } from "#src/db/connection/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { Translator } from "#src/base/translator.ts";
import type { ReadTxtRecords } from "#src/net/txt-records.ts";

/** What a job gets. It has no viewer: users have asked before for what it does for them. */
export interface JobContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  /** Translates texts; absent where the gateway has no engine. */
  readonly translator?: Translator | undefined;
  /** Counts what is done for users; absent where nobody counts. */
  readonly charge?: Charge | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readTxtRecords: ReadTxtRecords;
}

/** Work that is done again and again. A run that its process did not end starts again: twice must be harmless. */
export interface Job {
  /** Its noun and verb, such as `space.purge`; the schedule is kept under this name. */
  readonly name: `${string}.${string}`;
  /** When: a cron expression, in UTC; null for work that is done for each message of its queue. */
  readonly schedule: string | null;
  /** Set to have it run at every start of a process, too. */
  readonly atStart?: true;
  /** Set where it removes what has reached an age: it does not run while clocks are known to be wrong. */
  readonly removesByAge?: true;
  readonly run: (context: JobContext, message?: unknown) => Promise<void>;
}

/** The queue of jobs that were given up: they are kept for 14 days, so that people can look at them. */
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
