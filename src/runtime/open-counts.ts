// Counts open things, such as streams, for each owner.

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
