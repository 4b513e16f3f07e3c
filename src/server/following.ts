// Work that follows events, beside requests: as soon as the feed tells of them. A job does what is missed so.
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";

interface Work<Found> {
  /** What there is to do after an event. */
  readonly find: (event: StoredEvent) => readonly Found[];
  /** Does it: what came while it did other things, together. */
  readonly run: (found: readonly Found[], signal: AbortSignal) => Promise<unknown>;
  /** What the log says of an error. */
  readonly failed: string;
}

/** One kind of work, in each process from its start to its stop. */
export class Following<Found> {
  readonly #work: Work<Found>;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #found: Found[] = [];
  #running: Promise<void> | null = null;

  constructor(log: Logger, work: Work<Found>) {
    this.#log = log;
    this.#work = work;
  }

  /** Listens from now on. The feed does not wait for what it does. */
  start(feed: Pick<Feed, "listen">): void {
    feed.listen((events) => {
      for (const event of events) this.#found.push(...this.#work.find(event));
      if (this.#found.length > 0) this.#running ??= this.#run(); // which would end before it is kept
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
      this.#log.warn({ err: error }, this.#work.failed);
    } finally {
      this.#running = null;
    }
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
