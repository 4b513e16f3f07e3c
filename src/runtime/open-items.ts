// What is open now: counts of each owner, and items that come and go with every request.

/** Counts the open things of each owner, up to `most` concurrently. */
export class OpenCounts {
  readonly most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.most = most;
  }

  /** Counts one more. False, without counting, if the owner has reached the limit. */
  add(owner: string): boolean {
    const others = this.#counts.get(owner) ?? 0;
    if (others >= this.most) return false;
    this.#counts.set(owner, others + 1);
    return true;
  }

  remove(owner: string): void {
    const left = (this.#counts.get(owner) ?? 1) - 1;
    if (left > 0) this.#counts.set(owner, left);
    else this.#counts.delete(owner);
  }
}

/**
 * Items in no order, each in a place of its own. A Set or Map does the same, but V8 links the table that one has
 * outgrown to its successor. Once such a table is in the old generation, all later ones, with everything that was in
 * them, live until the next full collection: the garbage of every request is copied twice, for half again its CPU time.
 */
export class OpenItems<Item extends object> implements Iterable<Item> {
  readonly #items: (Item | null)[] = [];
  readonly #free: number[] = [];

  /** Returns the place of the item, for {@link remove}. */
  add(item: Item): number {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return place;
  }

  /** Removes the item in a place: once for each that was added. */
  remove(place: number): void {
    this.#items[place] = null;
    this.#free.push(place);
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const item of this.#items) if (item) yield item;
  }
}
