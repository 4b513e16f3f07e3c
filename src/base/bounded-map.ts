// The one kind of map for what is kept in memory between requests: it has a limit, and drops entries beyond it.

interface Kept<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Values by their keys, up to a total weight; beyond it those are dropped that were used longest ago. */
export class BoundedMap<Key, Value> {
  #limit: number;
  readonly #weigh: (value: Value, key: Key) => number;
  /** In the order of use: the last one was used last. */
  readonly #kept = new Map<Key, Kept<Value>>();
  #total = 0;

  /**
   * Keeps entries up to `limit`, in the unit of `weigh`, such as bytes; without `weigh` it is the number of entries. An
   * entry of more than a quarter of the limit is not kept at all, so that it does not drop all others.
   */
  constructor(limit: number, weigh: (value: Value, key: Key) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  /** The total weight. */
  get weight(): number {
    return this.#total;
  }

  /** Whether one more entry of weight 1 would drop another one. */
  get isFull(): boolean {
    return this.#total >= this.#limit;
  }

  get(key: Key): Value | undefined {
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value;
  }

  /** Keeps a value in place of the one before, and drops what was used longest ago. */
  keep(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > Math.max(this.#limit / 4, 1)) return;
    this.#kept.set(key, { value, weight });
    this.#total += weight;
    this.#drop();
  }

  /** Keeps entries up to another limit from now on. */
  resize(limit: number): void {
    this.#limit = limit;
    this.#drop();
  }

  #drop(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#total -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#total = 0;
  }
}
