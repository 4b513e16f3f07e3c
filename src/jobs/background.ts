// Work of this process that goes on after the request that began it, and ends before the process does.
import { setTimeout as wait } from "node:timers/promises";
import { besideLimit, withoutLimit } from "#src/db/connection/time-limit.ts";

/** What runs beside requests. What has to survive the process keeps its state in the database itself. */
export class Background {
  readonly #patienceMs: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** `patienceMs` is how long a request waits for work that it began. */
  constructor({ patienceMs = 60_000 }: { patienceMs?: number | undefined } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Runs the work; `stopping` is aborted when the process stops. What it throws is for those who wait for it. */
  run<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = withoutLimit(() => work(this.#stopping.signal));
    const ended: Promise<unknown> = running.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return running;
  }

  /** What the work gives; null if it takes longer than a request may wait, or than `mostMs`. Throws what it throws. */
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
