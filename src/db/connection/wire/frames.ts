// Messages of a server, cut into frames (code, length, body).
import { anyLength, exactLengths, invalidHeader, mostMessageBytes } from "#src/db/connection/server-messages.ts";
import { giveMemory, takeMemory } from "#src/runtime/pooled-memory.ts";
import type { FramedRows } from "#src/db/connection/wire/rows.ts";

const noBytes = Buffer.alloc(0);

/** Incoming bytes, split and joined anywhere. After {@link next} the frame is in `code` and `body`. */
export class Frames {
  code = 0;
  #bodyStart = 0;
  #memory: Buffer = noBytes;
  /** Where the next frame starts, and where the received bytes end. */
  #at = 0;
  #end = 0;
  /** The rows kept so far: where the first starts, where the last ends, and where each starts after the first. */
  #rowsStart = 0;
  #rowsEnd = 0;
  #rows: number[] = [];

  /** Adds bytes, which are copied. Throws if the rows of a result get too large. */
  add(chunk: Uint8Array): void {
    const from = this.#rows.length > 0 ? this.#rowsStart : this.#at;
    const held = this.#end - from;
    if (held === 0) this.#at = this.#end = 0;
    if (held + chunk.length > mostMessageBytes) throw new Error("The result of the database is too large.");
    if (this.#end + chunk.length > this.#memory.length) {
      const bigger = takeMemory(held === 0 ? chunk.length : 2 * (held + chunk.length));
      if (held > 0) {
        this.#memory.copy(bigger, 0, from, this.#end);
        this.#at -= from;
        this.#rowsStart -= from;
        this.#rowsEnd -= from;
      }
      giveMemory(this.#memory);
      this.#memory = bigger;
      this.#end = held;
    }
    this.#memory.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Advances to the next frame, if all of it is there. Throws for an unknown code or an impossible length. */
  next(): boolean {
    const left = this.#end - this.#at;
    if (left < 5) return false;
    const code = this.#memory[this.#at] ?? 0;
    const length = this.#memory.readInt32BE(this.#at + 1);
    const exact = exactLengths[code];
    if (length < 4 || length > mostMessageBytes || (exact !== anyLength && length !== exact))
      throw invalidHeader(code, length);
    if (left <= length) return false;
    this.code = code;
    this.#bodyStart = this.#at + 5;
    this.#at += 1 + length;
    return true;
  }

  /** The body of the frame, until more bytes are added. */
  get body(): Buffer {
    return this.#memory.subarray(this.#bodyStart, this.#at);
  }

  keepRow(): void {
    const start = this.#bodyStart - 5;
    if (this.#rows.length === 0) this.#rowsStart = start;
    this.#rows.push(start - this.#rowsStart);
    this.#rowsEnd = this.#at;
  }

  /** The kept rows, in memory of their own; they are dropped here. */
  takeRows(): FramedRows {
    const frames = this.#rows;
    const start = this.#rowsStart;
    this.#rows = [];
    if (frames.length === 0) return { bytes: noBytes, origin: 0, frames };
    const size = this.#rowsEnd - start;
    const left = this.#end - this.#at;
    if (left >= size) {
      const bytes = takeMemory(size);
      this.#memory.copy(bytes, 0, start, this.#rowsEnd);
      return { bytes, origin: 0, frames };
    }
    // The rest, of other results, is less to copy.
    const bytes = this.#memory;
    this.#memory = left === 0 ? noBytes : takeMemory(2 * left);
    bytes.copy(this.#memory, 0, this.#at, this.#end);
    this.#at = 0;
    this.#end = left;
    return { bytes, origin: start, frames };
  }
}
