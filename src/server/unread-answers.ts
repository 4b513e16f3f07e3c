// Long answers that wait to be read: together they have a limit, so that clients who ask and do not read cannot fill
// the memory. What is read too slowly is cut by the write time-out; this is for many at a time.
import type { ServerResponse } from "node:http";

/** Bytes of an answer that is not worth counting: so much is soon gone, and one client has few of them. */
const shortAnswer = 256 * 1024;

export class UnreadAnswers {
  readonly #limit: number;
  /** In the order in which they began to wait. */
  readonly #waiting = new Map<ServerResponse, number>();
  #bytes = 0;

  /** Keeps at most `limit` bytes waiting, or one answer, if that is longer. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts an answer until it is read. Beyond the limit those that have waited longest are cut off. */
  add(response: ServerResponse, bytes: number): void {
    if (bytes < shortAnswer || response.destroyed) return;
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    response.once("close", () => this.#remove(response));
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#limit || oldest === response) break;
      this.#remove(oldest);
      oldest.destroy();
    }
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}

/** Of this process: its memory is one. */
export const unreadAnswers = new UnreadAnswers(256 * 1024 * 1024);
