// The map for everything that is cached between requests: it has a limit, and drops entries beyond it.

interface Kept<Value> {
  value: Value;
  weight: number;
  /** Whether it was used since it was added, or since it was last spared. */
  isUsed: boolean;
}

/** A map with a total weight; beyond it entries are dropped by the second chance algorithm (CLOCK). */
export class BoundedMap<Key, Value> {
  #limit: number;
  readonly #weigh: (value: Value, key: Key) => number;
  readonly #kept = new Map<Key, Kept<Value>>();
  #total = 0;

  /** `limit` is in the unit of `weigh` (entries by default). An entry above a quarter of it is not stored. */
  constructor(limit: number, weigh: (value: Value, key: Key) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

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
    known.isUsed = true;
    return known.value;
  }

  /** Stores a value in place of the previous one, and drops others beyond the limit. */
  keep(key: Key, value: Value): void {
    const weight = this.#weigh(value, key);
    if (this.#replace(key, value, weight)) return;
    this.delete(key);
    if (weight > Math.max(this.#limit / 4, 1)) return;
    this.#drop(this.#limit - weight);
    this.#kept.set(key, { value, weight, isUsed: false });
    this.#total += weight;
  }

  /** A value that weighs no more than the previous one takes its place: some are replaced by every request. */
  #replace(key: Key, value: Value, weight: number): boolean {
    const known = this.#kept.get(key);
    if (!known || weight > known.weight) return false;
    this.#total += weight - known.weight;
    Object.assign(known, { value, weight, isUsed: true });
    return true;
  }

  /** Sets another limit from now on. */
  resize(limit: number): void {
    this.#limit = limit;
    this.#drop(limit);
  }

  /** Drops entries until the rest has at most this weight. */
  #drop(most: number): void {
    // A spared entry moves behind the others, unmarked.
    for (const [oldest, kept] of this.#kept) {
      if (this.#total <= most) break;
      this.#kept.delete(oldest);
      if (kept.isUsed) this.#kept.set(oldest, kept);
      else this.#total -= kept.weight;
      kept.isUsed = false;
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
