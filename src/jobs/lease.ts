// The hold of this process on a row of long work: one process at a time works on it, and says again and again that it
// still does. When it is gone, and has said nothing for a while, another one takes the work up.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#src/base/time.ts";

/** How long, in milliseconds, work waits for a process that says nothing, by default. It is renewed often enough. */
const defaultLeaseMs = 60_000;

/** A hold. The row has its {@link key} in the column `lease`, and in `leaseUntil` when others may take it. */
export class Lease implements Disposable {
  readonly key = randomUUID();
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();

  constructor(clock: Clock, leaseMs: number = defaultLeaseMs) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** The columns of a row that is taken, or held for longer. */
  get columns(): { lease: string; leaseUntil: Date } {
    return { lease: this.key, leaseUntil: new Date(this.#clock.now().getTime() + this.#leaseMs) };
  }

  /** Aborted when another process has the row, or the work was ended: nothing of it can be written any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborted when the work is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Holds a row that was taken, until the work is over: `renew` writes the columns, and says whether it is held. */
  async keep(renew: (columns: Lease["columns"]) => Promise<boolean>, lost: () => Error): Promise<void> {
    while (!this.over.aborted) {
      await wait(this.#leaseMs / 4, undefined, { signal: this.over, ref: false }).catch(() => {});
      if (this.over.aborted) return;
      // A database that cannot be reached now may be there the next time.
      if (!(await renew(this.columns).catch(() => true))) this.lose(lost());
    }
  }

  /** Says that the row is no longer held. */
  lose(reason: Error): void {
    this.#lost.abort(reason);
  }

  /** Ends what goes on beside the work. */
  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
