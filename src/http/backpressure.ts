// The memory budget of answers that clients have not read yet. The write time-out ends the connections of slow clients;
// this limit is for many of them at the same time.
import type { ServerResponse } from "node:http";

/** A shorter answer, in bytes, is not counted: it is soon sent, and one client has few of them. */
export const countedLength = 256 * 1024;

/** The answers that wait. */
export class UnreadAnswers {
  readonly #limit: number;
  /** In the order in which they began to wait. */
  readonly #waiting = new Map<ServerResponse, number>();
  #bytes = 0;

  /** Keeps at most `limit` bytes waiting, or one answer, if that is longer. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts an answer until it is read; of one in parts the part that was added last, none where that has 0 bytes.
   * Beyond the limit it ends other connections, those that have waited longest.
   */
  add(response: ServerResponse, bytes: number): void {
    const before = this.#waiting.get(response);
    if ((before === undefined && bytes < countedLength) || response.destroyed) return;
    if (before === undefined) response.once("close", () => this.#remove(response));
    this.#waiting.set(response, bytes);
    this.#bytes += bytes - (before ?? 0);
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#limit) break;
      if (oldest === response) continue;
      this.#remove(oldest);
      oldest.destroy();
    }
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}

/** One for the process, since its memory is shared by all. */
export const unreadAnswers = new UnreadAnswers(256 * 1024 * 1024);
