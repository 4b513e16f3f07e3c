// The shape of a job: something that is done by the clock, once for all processes, and not by a request.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/database.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** What a job gets. It acts for nobody, so it has no viewer. */
export interface JobContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Something that is done again and again. Features define theirs in `jobs.ts`.
 *
 * A run may be cut off by the end of the process and then begins anew, in another process perhaps: so it must be able to run twice.
 */
export interface Job {
  /** Its noun and verb, such as `space.purge`; the schedule is kept under this name. */
  readonly name: `${string}.${string}`;
  /** When: a cron expression, in UTC. */
  readonly schedule: string;
  readonly run: (context: JobContext) => Promise<void>;
}
