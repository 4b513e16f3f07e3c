// Shares of a pool: no caller holds more than a few connections at a time, however much they ask for at once.

/** Counts what callers hold. Those who hold as many as they may wait for their own, in the order in which they came. */
export class Shares {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  readonly #queues = new Map<string, (() => void)[]>();

  /** `most` is how many one caller may hold. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many of a caller wait. */
  waitingOf(caller: string): number {
    return this.#queues.get(caller)?.length ?? 0;
  }

  /** Takes one for a caller at once; false where they hold as many as they may. */
  tryTake(caller: string): boolean {
    const held = this.#held.get(caller) ?? 0;
    if (held >= this.#most) return false;
    this.#held.set(caller, held + 1);
    return true;
  }

  /** Takes one for a caller when one of theirs is given back. For those to whom {@link tryTake} answered false. */
  take(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(caller);
      if (queue) queue.push(resolve);
      else this.#queues.set(caller, [resolve]);
    });
  }

  /** Gives one back: the next of the same caller has it. */
  give(caller: string): void {
    const queue = this.#queues.get(caller);
    const next = queue?.shift();
    if (queue?.length === 0) this.#queues.delete(caller);
    if (next) return next();
    const held = (this.#held.get(caller) ?? 0) - 1;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }
}
