// Work of this process that continues after the response to its request, and ends before the process does.
import { setTimeout as wait } from "node:timers/promises";
import { besideLimit, withoutLimit } from "#src/db/connection/time-limit.ts";
import { lendSlot } from "#src/runtime/tenant.ts";

/** Work that another process can continue. */
interface Resumable {
  readonly leaving: AbortController;
  /** How many requests wait for it. */
  waiting: number;
}

/** Work beside requests. Work that has to survive the process keeps its state in the database itself. */
export class Background {
  readonly #patienceMs: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #resumable = new Map<Promise<unknown>, Resumable>();
  readonly #stopping = new AbortController();

  /** `patienceMs` is how long a request waits for its work. */
  constructor({ patienceMs = 60_000 }: { patienceMs?: number | undefined } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Runs the work; `stopping` is aborted when the process stops. Errors only reach those who wait for it. */
  run<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#run(() => work(this.#stopping.signal));
  }

  /** The same for work that another process can continue: {@link Background.leave} ends it, too. */
  runResumable<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    const leaving = new AbortController();
    const running = this.#run(() => work(AbortSignal.any([this.#stopping.signal, leaving.signal])));
    this.#resumable.set(running, { leaving, waiting: 0 });
    const forget = () => void this.#resumable.delete(running);
    running.then(forget, forget);
    return running;
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = withoutLimit(work);
    const ended: Promise<unknown> = running.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return running;
  }

  /** The result of the work; null if it takes longer than a request may wait, or than `mostMs`. Throws its error. */
  async waitFor<Result extends object>(running: Promise<Result>, mostMs = Infinity): Promise<Result | null> {
    const limit = new AbortController();
    const resumable = this.#resumable.get(running);
    if (resumable) resumable.waiting += 1;
    const late = wait(Math.min(this.#patienceMs, mostMs), null, { signal: limit.signal }).catch(() => null);
    try {
      return await lendSlot(() => besideLimit(() => Promise.race([running, late])));
    } finally {
      limit.abort();
      if (resumable) resumable.waiting -= 1;
    }
  }

  /** Ends the work that other processes can continue and no request waits for, and waits for its end. */
  async leave(): Promise<void> {
    const left = [...this.#resumable].filter(([, { waiting }]) => waiting === 0);
    for (const [, { leaving }] of left) leaving.abort(new Error("The process stops."));
    await Promise.allSettled(left.map(([running]) => running));
  }

  /** Stops all work, and waits for its end. Requests that end later may start more: then it is called again. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error("The process stops."));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
