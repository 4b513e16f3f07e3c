// The shape of a job: work that is done once for all processes, at set times or for each message of a queue.
import type { Logger } from "pino";
import type { Charge } from "#src/runtime/tenant.ts";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/connection/database.ts";
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

/**
 * Work that is done again and again. Features define theirs in `jobs.ts`.
 *
 * When the process ends during a run, the run starts again, perhaps in another process: so running it twice must be
 * harmless.
 */
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
