// A counting semaphore that serves waiting owners round-robin: one owner with much work does not delay the others.

/** Slots of all owners, of one owner (by default all), and additional ones for others while one owner uses all. */
export interface SemaphoreSlots {
  readonly most?: number;
  readonly perOwner?: number;
  readonly spare?: number;
  /**
   * Whether an owner gets another slot only while more are free than it has, and less than a third of all are such
   * additional ones of any owner: many owners find one.
   */
  readonly keepsFree?: boolean;
  /** Whether lighter work never passes heavier work that waits: a steady flow of it would delay that forever. */
  readonly inOrder?: boolean;
}

/** The owner of work, such as a user; several, such as an organization and a kind of work, if each has a limit. */
export type SlotOwner = string | readonly string[];

/** Registers the function that ends a wait with an error. Returns a function that unregisters it. */
export type OnAbort = (fail: (error: Error) => void) => (() => void) | undefined;

/** The same, with an end of the wait after some milliseconds. */
export function failAfter(milliseconds: number, error: () => Error, onAbort: OnAbort): OnAbort {
  return (fail) => {
    const timer = setTimeout(() => fail(error()), milliseconds).unref();
    const forget = onAbort(fail);
    return () => {
      clearTimeout(timer);
      forget?.();
    };
  };
}

interface Waiter {
  readonly weight: number;
  readonly enter: () => void;
  readonly fail: (error: Error) => void;
}

/** The waiting work of one owner, in the order in which it arrived. */
interface Line {
  readonly owner: SlotOwner;
  readonly waiters: Waiter[];
}

/** See the head of this file. Taking a free slot is synchronous. Work may take several slots, or a part of one. */
export class FairSemaphore {
  #most: number;
  readonly #perOwner: number;
  readonly #spare: number;
  readonly #keepsFree: boolean;
  readonly #inOrder: boolean;
  readonly #loads = new Map<string, number>();
  /** Owners with waiting work. The one that got a slot most recently is the last one. */
  readonly #lines = new Map<string, Line>();
  #taken = 0;
  #waiting = 0;

  constructor({ most = Infinity, perOwner = most, spare = 0, keepsFree = false, inOrder = false }: SemaphoreSlots) {
    this.#most = most;
    this.#perOwner = perOwner;
    this.#spare = spare;
    this.#keepsFree = keepsFree;
    this.#inOrder = inOrder;
  }

  /** Slots that are taken, without those that were {@link lend lent}. */
  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting;
  }

  takenBy(owner: string): number {
    return this.#loads.get(owner) ?? 0;
  }

  waitingOf(owner: string): number {
    if (this.#waiting === 0) return 0;
    let count = 0;
    for (const line of this.#lines.values())
      if (line.owner === owner || (typeof line.owner !== "string" && line.owner.includes(owner)))
        count += line.waiters.length;
    return count;
  }

  /** Runs work in a slot. `beforeWait` is called if it has to wait for one, and may throw. */
  async run<Result>(owner: SlotOwner, work: () => Promise<Result>, beforeWait?: () => void): Promise<Result> {
    if (!this.tryTake(owner)) {
      beforeWait?.();
      await this.take(owner);
    }
    try {
      return await work();
    } finally {
      this.give(owner);
    }
  }

  /** Takes a slot at once; false if the owner has to wait: none is free, or other work of the owner is before it. */
  tryTake(owner: SlotOwner, weight = 1): boolean {
    if (!this.#hasRoom(owner, weight) || (this.#inOrder && this.#waiting > 0)) return false;
    // Lighter work may pass heavier work that waits.
    if (this.#waiting > 0 && this.#lines.get(keyOf(owner))?.waiters.some((waiter) => waiter.weight <= weight))
      return false;
    this.#add(owner, weight);
    return true;
  }

  /** Takes a slot at the owner's turn, if {@link tryTake} was false: fewest slots first, then the longest without. */
  take(owner: SlotOwner, weight = 1, onAbort?: OnAbort): Promise<void> {
    return new Promise((resolve, reject) => {
      const key = keyOf(owner);
      const line = this.#lines.get(key) ?? { owner, waiters: [] };
      const fail = (error: Error): void => {
        const at = line.waiters.indexOf(waiter);
        if (at < 0) return;
        this.#remove(key, line, at);
        forget?.();
        reject(error);
        this.#admit(); // it may have blocked others
      };
      const enter = (): void => {
        forget?.();
        resolve();
      };
      const waiter = { weight, enter, fail };
      line.waiters.push(waiter);
      this.#lines.set(key, line);
      this.#waiting += 1;
      const forget = onAbort?.(fail);
    });
  }

  /** Returns a slot: the next waiting owner gets it. */
  give(owner: SlotOwner, weight = 1): void {
    this.#add(owner, -weight);
    if (this.#waiting === 0) return;
    const key = keyOf(owner);
    const line = this.#lines.get(key);
    if (line) this.#moveLast(key, line);
    this.#admit();
  }

  /** Lends a slot that is taken to others until {@link reclaim}. It still counts as the owner's. */
  lend(weight = 1): void {
    this.#taken -= weight;
    this.#admit();
  }

  /** Takes back a lent slot, even beyond the limit. */
  reclaim(weight = 1): void {
    this.#taken += weight;
  }

  /** Changes the number of slots. Those that are taken stay taken. */
  resize(most: number): void {
    this.#most = most;
    this.#admit();
  }

  failAll(error: Error): void {
    const all = [...this.#lines.values()].flatMap(({ waiters }) => waiters);
    for (const { fail } of all) fail(error);
  }

  #hasRoom(owner: SlotOwner, weight: number): boolean {
    const load = this.#loadOf(owner);
    const isOther = this.#spare > 0 && load === 0 && this.#loads.size === 1;
    const free = this.#most + (isOther ? this.#spare : 0) - this.#taken;
    if (weight > Math.min(this.#perOwner - load, free)) return false;
    if (load === 0) return true;
    return this.mayHaveMore(owner, weight) && (!this.#keepsFree || weight <= Math.min(free - load, this.#additional));
  }

  /** How many more slots owners may have beside the first one of each: a third of all, without those that they have. */
  get #additional(): number {
    let had = 0;
    for (const load of this.#loads.values()) had += load - 1;
    return Math.floor(this.#most / 3) - had;
  }

  /** Whether an owner that has slots may have so many more, if there is room. */
  protected mayHaveMore(_owner: SlotOwner, _weight: number): boolean {
    return true;
  }

  #loadOf(owner: SlotOwner): number {
    if (typeof owner === "string") return this.#loads.get(owner) ?? 0;
    return Math.max(...owner.map((one) => this.#loads.get(one) ?? 0));
  }

  #add(owner: SlotOwner, weight: number): void {
    this.#taken += weight;
    if (typeof owner === "string") this.#addLoad(owner, weight);
    else for (const one of owner) this.#addLoad(one, weight);
  }

  #addLoad(owner: string, weight: number): void {
    const load = (this.#loads.get(owner) ?? 0) + weight;
    if (load > 0) this.#loads.set(owner, load);
    else this.#loads.delete(owner);
  }

  #moveLast(key: string, line: Line): void {
    this.#lines.delete(key);
    this.#lines.set(key, line);
  }

  #remove(key: string, line: Line, at: number): void {
    line.waiters.splice(at, 1);
    this.#waiting -= 1;
    if (line.waiters.length === 0) this.#lines.delete(key);
  }

  /** Gives free slots to waiting owners, until no owner can be served. */
  #admit(): void {
    while (this.#waiting > 0 && this.#admitOne());
  }

  /** False if no one may enter. */
  #admitOne(): boolean {
    let next: { readonly key: string; readonly line: Line; readonly at: number; readonly load: number } | undefined;
    for (const [key, line] of this.#lines) {
      const load = this.#loadOf(line.owner);
      if (next && load >= next.load) continue;
      const at = this.#inOrder ? 0 : line.waiters.findIndex(({ weight }) => this.#hasRoom(line.owner, weight));
      if (at < 0) continue;
      next = { key, line, at, load };
      if (load === 0) break;
    }
    if (!next) return false;
    const { key, line, at } = next;
    const waiter = line.waiters[at];
    if (!waiter || (this.#inOrder && !this.#hasRoom(line.owner, waiter.weight))) return false;
    this.#moveLast(key, line);
    this.#remove(key, line, at);
    this.#add(line.owner, waiter.weight);
    waiter.enter();
    return true;
  }
}

const keyOf = (owner: SlotOwner): string => (typeof owner === "string" ? owner : JSON.stringify(owner));

/** The turns of users who do one thing at a time: each thing, then a rest that leaves the processors to others. */
export class SingleTurns {
  readonly #turns = new FairSemaphore({ perOwner: 1 });

  waitingOf(user: string): number {
    return this.#turns.waitingOf(user);
  }

  /**
   * Runs work in the user's turn, and rests after it for as many milliseconds as `restFor` returns for those that it
   * took. `beforeWait` is called if it has to wait, and may throw.
   */
  async run<Result>(
    user: string,
    work: () => Promise<Result>,
    { restFor, beforeWait }: { readonly restFor: (workedMs: number) => number; readonly beforeWait?: () => void },
  ): Promise<Result> {
    if (!this.#turns.tryTake(user)) {
      beforeWait?.();
      await this.#turns.take(user);
    }
    const begun = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(() => this.#turns.give(user), restFor(performance.now() - begun)).unref();
    }
  }
}
