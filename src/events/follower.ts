// Background work of each process that follows events. Missed work is done by a job.
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import type { Series } from "#src/runtime/series.ts";

/** Runs from the start of the gateway to its stop. */
export interface Follower {
  start(feed: Pick<Feed, "listen">): void;
  /** Ends the long work that other processes can continue, some time before the stop. */
  leave?(): Promise<unknown>;
  stop(): Promise<void>;
  readonly metrics?: readonly Series[];
  /** Its entry in the response of /readyz; null if healthy. */
  readiness?(): object | null;
}

interface Work<Found> {
  /** The work caused by an event. */
  readonly find: (event: StoredEvent) => readonly Found[];
  /** Does the work. Everything found during one run is passed to the next one together. */
  readonly run: (found: readonly Found[], signal: AbortSignal) => Promise<unknown>;
  readonly failed: string;
}

/** A follower that runs one kind of work at a time. */
export class EventFollower<Found> implements Follower {
  readonly #work: Work<Found>;
  readonly #failures: RepeatedWarning;
  readonly #stopping = new AbortController();
  #found: Found[] = [];
  #running: Promise<void> | null = null;

  constructor(log: Logger, work: Work<Found>) {
    this.#failures = new RepeatedWarning(log, work.failed);
    this.#work = work;
  }

  /** The event log reader does not wait for the work. */
  start(feed: Pick<Feed, "listen">): void {
    feed.listen((events) => {
      for (const event of events) this.#found.push(...this.#work.find(event));
      if (this.#found.length > 0) this.#running ??= this.#run(); // assigned before it ends
    });
  }

  async #run(): Promise<void> {
    try {
      while (this.#found.length > 0 && !this.#stopping.signal.aborted) {
        const found = this.#found;
        this.#found = [];
        await this.#work.run(found, this.#stopping.signal);
      }
    } catch (error) {
      this.#failures.log(error);
    } finally {
      this.#running = null;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
