// What waits in the database, whichever gateway is to do it: events for consumers, and jobs that were given up.
import type { Queries } from "#src/db/connection/database.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { readUndelivered } from "#src/features/integrations/commands/enqueue-events.ts";
import { countDeadLetters } from "#src/jobs/dead-letters.ts";

/** How long, in milliseconds, the database may take for it: whoever reads metrics does not wait for long. */
const patienceMs = 1_000;

export interface Backlog {
  /** By consumer. */
  readonly lagSeconds: Readonly<Record<string, number>>;
  readonly eventsWaiting: number;
  /** Null where no process has run jobs yet. */
  readonly deadLetters: number | null;
}

/** Null while the database does not answer. */
export async function readBacklog(vital: Queries): Promise<Backlog | null> {
  try {
    return await new TimeLimit(patienceMs).run(async () => {
      const [undelivered, deadLetters] = await Promise.all([readUndelivered(vital), countDeadLetters(vital)]);
      const { untoldSeconds: integrations, waitingSeconds: deliveries, waiting: eventsWaiting } = undelivered;
      return { lagSeconds: { integrations, deliveries }, eventsWaiting, deadLetters };
    });
  } catch {
    return null;
  }
}
