// Work of this process that goes on when the request that began it has been answered, and ends before the process does.
import { setTimeout as wait } from "node:timers/promises";
import { besideLimit, withoutLimit } from "#src/db/connection/time-limit.ts";

/** How long, in milliseconds, a request waits for work that it began, by default. */
const defaultPatienceMs = 60_000;

/** What runs beside requests. What has to survive the process keeps its state in the database itself. */
export class Background {
  readonly #patienceMs: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor({ patienceMs = defaultPatienceMs }: { patienceMs?: number | undefined } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Runs the work; `stopping` is aborted when the process stops. What it throws is for those who wait for it. */
  run<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = withoutLimit(() => work(this.#stopping.signal));
    const ended = running
      .then(
        () => {},
        () => {},
      )
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return running;
  }

  /**
   * What the work gives, or null when it takes longer than a request may wait, or than so many milliseconds. Throws
   * what it throws.
   */
  async waitFor<Result extends object>(running: Promise<Result>, mostMs = Infinity): Promise<Result | null> {
    const limit = new AbortController();
    const late = wait(Math.min(this.#patienceMs, mostMs), null, { signal: limit.signal }).catch(() => null);
    try {
      return await besideLimit(() => Promise.race([running, late]));
    } finally {
      limit.abort();
    }
  }

  /** Asks all work to end, and waits for it. Requests that end later may begin more: then it is called again. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error("The process stops."));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
