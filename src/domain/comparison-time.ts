// The time that the comparisons of one operation may still take, in this process and in threads.
import { currentTenant, workFor } from "#src/runtime/tenant.ts";
import type { Outcome } from "#src/runtime/threads.ts";
import type { Budget } from "#src/db/connection/budget.ts";
import { withinLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";

/** The limit of all comparisons of one operation together, in milliseconds. */
export const comparisonMs = 5_000;

/** See the head of this file. The time that work waits for a thread does not count. */
export class ComparisonTime {
  #leftMs: number;

  constructor(ms: number = comparisonMs) {
    this.#leftMs = ms;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  here<Result>(work: () => Result): Result {
    const begun = performance.now();
    try {
      return work();
    } finally {
      this.#leftMs -= performance.now() - begun;
    }
  }

  /**
   * Runs work in a thread, within the milliseconds that `work` receives: if it runs out of time, none is left, even if
   * its timer was a fraction of a millisecond early. Throws if the operation has no time left.
   */
  inThread<Answer>(work: (ms: number) => Promise<Outcome<Answer>>): Promise<Outcome<Answer>> {
    const tenant = currentTenant();
    const takeTime = (ms: number): void => {
      this.#leftMs -= ms;
      tenant.takeTime(ms);
    };
    const run = async () => {
      const outcome = await work(Math.max(1, Math.floor(this.#leftMs)));
      if (outcome.ended === "out of time") this.#leftMs = 0;
      return outcome;
    };
    return withinLimit("compare", () => workFor({ ...tenant, takeTime }, run));
  }
}

const times = new WeakMap<Budget, ComparisonTime>();

/** The remaining time of an operation. */
export function comparisonTimeOf({ reader: { budget } }: Context): ComparisonTime {
  const known = times.get(budget);
  if (known) return known;
  const time = new ComparisonTime();
  times.set(budget, time);
  return time;
}
