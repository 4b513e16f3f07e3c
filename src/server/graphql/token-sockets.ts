// How many sockets are open with each token, and the most that may be.

export class TokenSockets {
  /** The most with one token. */
  readonly limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts one more; false, and not counted, when there are as many as the limit already. */
  add(tokenId: string): boolean {
    const others = this.#counts.get(tokenId) ?? 0;
    if (others >= this.limit) return false;
    this.#counts.set(tokenId, others + 1);
    return true;
  }

  remove(tokenId: string): void {
    const left = (this.#counts.get(tokenId) ?? 1) - 1;
    if (left > 0) this.#counts.set(tokenId, left);
    else this.#counts.delete(tokenId);
  }
}
