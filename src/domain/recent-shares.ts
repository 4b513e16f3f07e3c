// How much of the last second operations of each user have used, as a sliding window of two counts.

const windowMs = 1_000;

/** The time of operations, of whatever weight, by their users. */
export class RecentShares {
  #begunAt = 0;
  #before = new Map<string, number>();
  #now = new Map<string, number>();
  #total = { before: 0, now: 0 };

  /** Counts milliseconds that ended at this time, by one clock. */
  add(user: string, ms: number, at: number): void {
    this.#slide(at);
    this.#now.set(user, (this.#now.get(user) ?? 0) + ms);
    this.#total.now += ms;
  }

  /** The time of others than this user as a part of a second; above 1 if several operations run at once. */
  ofOthers(user: string, at: number): number {
    this.#slide(at);
    const before = this.#total.before - (this.#before.get(user) ?? 0);
    const now = this.#total.now - (this.#now.get(user) ?? 0);
    return (before * (1 - (at - this.#begunAt) / windowMs) + now) / windowMs;
  }

  #slide(at: number): void {
    const passed = at - this.#begunAt;
    if (passed < windowMs) return;
    const isNext = passed < 2 * windowMs;
    this.#before = isNext ? this.#now : new Map<string, number>();
    this.#total = { before: isNext ? this.#total.now : 0, now: 0 };
    this.#now = new Map();
    this.#begunAt = isNext ? this.#begunAt + windowMs : at;
  }
}
