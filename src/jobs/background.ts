// Work of this process that continues after the response to its request, and ends before the process does.
import { setTimeout as wait } from "node:timers/promises";
import { besideLimit, withoutLimit } from "#src/db/connection/time-limit.ts";
import { lendSlot } from "#src/runtime/tenant.ts";

/** Work beside requests. Work that has to survive the process keeps its state in the database itself. */
export class Background {
  readonly #patienceMs: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** `patienceMs` is how long a request waits for its work. */
  constructor({ patienceMs = 60_000 }: { patienceMs?: number | undefined } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Runs the work; `stopping` is aborted when the process stops. Errors only reach those who wait for it. */
  run<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = withoutLimit(() => work(this.#stopping.signal));
    const ended: Promise<unknown> = running.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return running;
  }

  /** The result of the work; null if it takes longer than a request may wait, or than `mostMs`. Throws its error. */
  async waitFor<Result extends object>(running: Promise<Result>, mostMs = Infinity): Promise<Result | null> {
    const limit = new AbortController();
    const late = wait(Math.min(this.#patienceMs, mostMs), null, { signal: limit.signal }).catch(() => null);
    try {
      return await lendSlot(() => besideLimit(() => Promise.race([running, late])));
    } finally {
      limit.abort();
    }
  }

  /** Stops all work, and waits for its end. Requests that end later may start more: then it is called again. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error("The process stops."));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
