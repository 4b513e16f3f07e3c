// Places that work waits for, such as threads: those for whom it is take turns, so that one who has much of it is in
// nobody's way.

/** How many places there are. */
export interface Places {
  readonly places: number;
  /** The most that one owner has at a time; all of them by default. */
  readonly ofOne?: number;
  /** Further ones, for the others, while one owner has all that are taken; none by default. */
  readonly spare?: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** The work of the same owners: what has a place, and what waits, in its order. */
interface Line {
  readonly owners: readonly string[];
  readonly waiting: Waiter[];
  running: number;
  /** When it was last given a place, by the count of all that were given; 0 for never. */
  servedAt: number;
}

/** See the head of this file. Work may have several owners, such as an organization and a kind of work. */
export class FairQueue {
  readonly #places: Required<Places>;
  /** By their owners: those who have or wait for a place. */
  readonly #lines = new Map<string, Line>();
  /** How many places each owner has now. */
  readonly #running = new Map<string, number>();
  #busy = 0;
  #given = 0;

  constructor({ places, ofOne = places, spare = 0 }: Places) {
    this.#places = { places, ofOne, spare };
  }

  /** How much of an owner waits. */
  waitingOf(owner: string): number {
    let count = 0;
    for (const { owners, waiting } of this.#lines.values()) if (owners.includes(owner)) count += waiting.length;
    return count;
  }

  /**
   * Does work in a place, at once or when it is the turn of its owners. `checkCrowd` is called before it waits, and
   * throws where too much of them does.
   */
  async hold<Result>(
    owners: readonly string[],
    work: () => Promise<Result>,
    checkCrowd: () => void = () => {},
  ): Promise<Result> {
    if (!this.tryTake(owners)) {
      checkCrowd();
      await this.take(owners);
    }
    try {
      return await work();
    } finally {
      this.give(owners);
    }
  }

  /** Takes a place at once; false where there is none for these owners. */
  tryTake(owners: readonly string[]): boolean {
    if (!this.#hasRoom(owners)) return false;
    this.#begin(this.#lineOf(owners));
    return true;
  }

  /** Takes a place when it is the turn of these owners. For those to whom {@link tryTake} answered false. */
  take(owners: readonly string[]): Promise<void> {
    const { waiting } = this.#lineOf(owners);
    return new Promise((enter, refuse) => waiting.push({ enter, refuse }));
  }

  /** Gives a place back: of those who wait whoever has the fewest has it, and of these who was served least lately. */
  give(owners: readonly string[]): void {
    this.#busy -= 1;
    const line = this.#lineOf(owners);
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(keyOf(owners));
    for (const owner of owners) {
      const left = this.#of(owner) - 1;
      if (left > 0) this.#running.set(owner, left);
      else this.#running.delete(owner);
    }
    while (this.#letIn());
  }

  /** Refuses all who wait. */
  refuseAll(error: Error): void {
    for (const { waiting } of this.#lines.values()) for (const { refuse } of waiting.splice(0)) refuse(error);
  }

  #of = (owner: string): number => this.#running.get(owner) ?? 0;

  /** The most places that one of the owners has. */
  #load = (owners: readonly string[]): number => Math.max(...owners.map(this.#of));

  #hasRoom(owners: readonly string[]): boolean {
    const { places, ofOne, spare } = this.#places;
    const load = this.#load(owners);
    if (this.#busy < places) return load < ofOne;
    return load === 0 && this.#running.size === 1 && this.#busy < places + spare;
  }

  #lineOf(owners: readonly string[]): Line {
    const key = keyOf(owners);
    const known = this.#lines.get(key);
    if (known) return known;
    const line = { owners, waiting: [], running: 0, servedAt: 0 };
    this.#lines.set(key, line);
    return line;
  }

  #begin(line: Line): void {
    this.#busy += 1;
    line.running += 1;
    line.servedAt = ++this.#given;
    for (const owner of line.owners) this.#running.set(owner, this.#of(owner) + 1);
  }

  /** Lets one in; false where nobody may enter. */
  #letIn(): boolean {
    let next: Line | undefined;
    for (const line of this.#lines.values())
      if (line.waiting.length > 0 && this.#hasRoom(line.owners) && (!next || this.#isBefore(line, next))) next = line;
    const waiter = next?.waiting.shift();
    if (!next || !waiter) return false;
    this.#begin(next);
    waiter.enter();
    return true;
  }

  #isBefore(one: Line, other: Line): boolean {
    const more = this.#load(one.owners) - this.#load(other.owners);
    return more < 0 || (more === 0 && one.servedAt < other.servedAt);
  }
}

const keyOf = (owners: readonly string[]): string => JSON.stringify(owners);
