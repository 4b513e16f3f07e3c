// What never changes under its hash, kept in memory: what was used last, up to a weight.

/**
 * Values by their hashes. They are the same at any time, in any database and for everybody: whoever asks must have the hash from a row that the
 * viewer may see.
 */
export class Remembered<Value> {
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #known = new Map<string, { value: Value; weight: number }>();
  #total = 0;

  /** Keeps at most `limit` of what `weigh` says, bytes say. What takes more than a quarter of it is not kept at all. */
  constructor(limit: number, weigh: (value: Value) => number) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(hash: string): Value | undefined {
    const known = this.#known.get(hash);
    if (!known) return undefined;
    this.#known.delete(hash); // the last in the map is the one used last
    this.#known.set(hash, known);
    return known.value;
  }

  /** Keeps a value, and drops those that were used longest ago. */
  keep(hash: string, value: Value): void {
    if (this.#known.has(hash)) return;
    const weight = this.#weigh(value);
    if (weight > this.#limit / 4) return;
    this.#known.set(hash, { value, weight });
    this.#total += weight;
    for (const [oldest, { weight: freed }] of this.#known) {
      if (this.#total <= this.#limit) break;
      this.#known.delete(oldest);
      this.#total -= freed;
    }
  }
}
