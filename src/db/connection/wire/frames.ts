// Messages of a server, cut into frames (code, length, body), and parsers of RowDescription and ErrorResponse.
import { giveMemory, takeMemory } from "#src/db/connection/wire/memory.ts";
import type { FramedRows, NamedType } from "#src/db/connection/wire/rows.ts";
import pg from "pg";

/** The most bytes of a frame, and of the rows of a result. */
const limit = 256 * 1024 * 1024;
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
    if (held + chunk.length > limit) throw new Error("The result of the database is too large.");
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

  /** Advances to the next frame, if all of it is there. Throws for an impossible length. */
  next(): boolean {
    const left = this.#end - this.#at;
    if (left < 5) return false;
    const length = this.#memory.readInt32BE(this.#at + 1);
    if (length < 4 || length > limit) throw new Error(`The database sent a message of ${length} bytes.`);
    if (left <= length) return false;
    this.code = this.#memory[this.#at] ?? 0;
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

/** Text up to a zero byte, and the position after it. Throws without a zero byte. */
function readText(body: Buffer, start: number): { readonly text: string; readonly next: number } {
  const end = body.indexOf(0, start);
  if (end < 0) throw new Error("A message of the database ends within a text.");
  return { text: body.toString("utf8", start, end), next: end + 1 };
}

/** The columns in a RowDescription. Throws for another message. */
export function readColumns(body: Buffer): NamedType[] {
  let at = 2;
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const { text: name, next } = readText(body, at);
    at = next + 18; // table and its column before the oid, sizes and format behind it
    if (at > body.length) throw new Error("A message of the database ends within a column.");
    return { name, oid: body.readUInt32BE(next + 6) };
  });
}

/** Codes of the fields of an ErrorResponse, each with the name that `pg` gives it. */
const errorFields = (
  "S severity C code D detail H hint P position p internalPosition q internalQuery W where s schema t table c column " +
  "d dataType n constraint F file L line R routine"
).matchAll(/(\w) (\w+)/g);
const fieldNames = Array.from(errorFields, ([, code = "", name = ""]) => [code, name] as const);

/** The error in an ErrorResponse, as `pg` makes it. Throws for another message. */
export function readError(body: Buffer): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (let at = 0; body[at] !== 0;) {
    const { text, next } = readText(body, at); // the code and the value
    fields.set(text.slice(0, 1), text.slice(1));
    at = next;
  }
  const error = new pg.DatabaseError(fields.get("M") ?? "", body.length + 4, "error");
  return Object.assign(error, Object.fromEntries(fieldNames.map(([code, name]) => [name, fields.get(code)])));
}
