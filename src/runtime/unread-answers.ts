// Long responses that clients have not read yet: they share a part of the memory, for which others that are long wait.
import type { OnAbort } from "#src/runtime/fair-semaphore.ts";

/** A shorter response, in bytes, is not counted: it is soon sent, and one client has few of them. */
export const countedLength = 256 * 1024;

/** How long, in milliseconds, an operation waits while clients read nothing, and in all: slow clients delay it. */
const patienceMs = { unread: 2_000, inAll: 5_000 } as const;

/** The part of a response of `node:http` that the limit uses. */
interface Sent {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

/** A wait for room: it ends, or others were read meanwhile. */
interface Wait {
  readonly end: () => void;
  readonly prolong: () => void;
}

/** The memory budget of unread responses: the write timeout ends slow clients, this limits many of them together. */
export class UnreadAnswers {
  #limit: number;
  /** In the order in which they started to wait. */
  readonly #waiting = new Map<Sent, number>();
  readonly #cut = new WeakSet<Sent>();
  readonly #waits = new Set<Wait>();
  #bytes = 0;

  /** Keeps at most `limit` bytes waiting, or a single longer response. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  resize(limit: number): void {
    this.#limit = limit;
  }

  /** Counts a response, or its last part, until it is read. Beyond the limit it ends those that waited longest. */
  add(response: Sent, bytes: number): void {
    const before = this.#waiting.get(response);
    if ((before === undefined && bytes < countedLength) || response.destroyed) return;
    if (before === undefined) response.once("close", () => this.#remove(response));
    this.#waiting.set(response, bytes);
    this.#count(bytes - (before ?? 0));
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#limit) break;
      if (oldest === response) continue;
      this.#remove(oldest);
      this.#cut.add(oldest);
      oldest.destroy();
    }
  }

  /** Whether the response was ended because it was not read while others needed the memory. */
  hasCut(response: Sent): boolean {
    return this.#cut.has(response);
  }

  /** Waits until half of the memory is free, while responses are read; undefined if it is. Rejects on abort. */
  room(onAbort: OnAbort): Promise<void> | undefined {
    if (this.#hasRoom) return undefined;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waits.delete(wait);
        forget?.();
        resolve();
      };
      const latest = performance.now() + patienceMs.inAll - patienceMs.unread;
      const timer = setTimeout(end, patienceMs.unread).unref();
      const forget = onAbort((error) => {
        reject(error);
        end();
      });
      const wait = { end, prolong: () => void (performance.now() < latest && timer.refresh()) };
      this.#waits.add(wait);
    });
  }

  /** A client has read a slice of a long response, or all of it: those that wait for it are patient. */
  noteRead(): void {
    for (const { prolong } of this.#waits) prolong();
  }

  get #hasRoom(): boolean {
    return this.#bytes <= this.#limit / 2;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#hasRoom) for (const { end } of this.#waits) end();
  }

  #remove(response: Sent): void {
    const bytes = this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
    this.noteRead();
    this.#count(-bytes);
  }
}

/** One per process, since its memory is shared by all. */
export const unreadAnswers = new UnreadAnswers(256 * 1024 * 1024);
