// A count of what is open, such as streams, for each owner.

/** Counts what each owner has open, up to the `most` that one may have at once. */
export class OpenCounts {
  readonly most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.most = most;
  }

  /** Counts one more. False, and nothing is counted, where the owner has as many as it may have. */
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
