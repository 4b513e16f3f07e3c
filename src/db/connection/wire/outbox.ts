// Messages to the server, gathered into one piece of memory until they are sent.
import pgValues from "pg/lib/utils.js";
import { giveMemory, takeMemory } from "#src/db/connection/wire/memory.ts";
import type { Shape } from "#src/db/connection/wire/rows.ts";

const [bind, close, describe, execute, parse, sync] = [0x42, 0x43, 0x44, 0x45, 0x50, 0x53];

const noBytes = Buffer.alloc(0);

/** Text of arrays that cannot change: those of a caller's rights go with every statement. */
const literals = new WeakMap<readonly unknown[], Buffer>();

/** A value as `pg` sends it: text, bytes, or null for NULL. The bytes of an array are its text. */
function encode(value: unknown): string | Buffer | null {
  if (!Array.isArray(value)) return typeof value === "string" ? value : pgValues.prepareValue(value);
  const known = literals.get(value);
  if (known) return known;
  const text = Buffer.from(pgValues.prepareValue(value) ?? "");
  // Frozen, with primitive values: its text cannot change.
  if (Object.isFrozen(value) && value.every((item) => Object(item) !== item)) literals.set(value, text);
  return text;
}

/** Messages that are not sent yet. */
export class Outbox {
  #memory: Buffer = noBytes;
  #at = 0;

  /** Prepares a statement under its name, replacing another one of that name, and asks for its columns. */
  prepare(name: string, text: string): void {
    this.#message(close, `S${name}\0`);
    this.#message(parse, `${name}\0${text}\0\0\0`); // without types of parameters
    this.#message(describe, `S${name}\0`);
    this.#message(sync, "");
  }

  /** Runs a prepared statement. Throws, and adds nothing, if a value cannot be written. */
  run(name: string, shape: Shape, values: readonly unknown[]): void {
    const before = this.#at;
    try {
      this.#bind(name, shape, values);
    } catch (error) {
      this.#at = before;
      throw error;
    }
    this.#message(execute, "\0\0\0\0\0"); // the unnamed portal, all rows
    this.#message(sync, "");
  }

  #bind(name: string, { columns }: Shape, values: readonly unknown[]): void {
    const encoded = values.map(encode);
    const length = this.#begin(bind);
    this.#text(`\0${name}\0`); // the unnamed portal
    this.#int16(values.length);
    for (const [index, data] of encoded.entries())
      this.#int16(data instanceof Buffer && !Array.isArray(values[index]) ? 1 : 0);
    this.#int16(values.length);
    for (const data of encoded) this.#value(data);
    this.#int16(columns.length);
    for (const { isBinary } of columns) this.#int16(isBinary ? 1 : 0);
    this.#end(length);
  }

  /** Takes the messages out: the first `size` bytes of memory that must be returned. */
  take(): { readonly memory: Buffer; readonly size: number } {
    const taken = { memory: this.#memory, size: this.#at };
    this.#memory = noBytes;
    this.#at = 0;
    return taken;
  }

  #room(size: number): Buffer {
    if (this.#at + size > this.#memory.length) {
      const bigger = takeMemory(this.#at === 0 ? size : 2 * (this.#at + size));
      this.#memory.copy(bigger, 0, 0, this.#at);
      giveMemory(this.#memory);
      this.#memory = bigger;
    }
    return this.#memory;
  }

  #message(code: number, text: string): void {
    const length = this.#begin(code);
    this.#text(text);
    this.#end(length);
  }

  /** Starts a message; {@link #end} takes its return value. */
  #begin(code: number): number {
    this.#room(5)[this.#at] = code;
    this.#at += 5;
    return this.#at - 4;
  }

  #end(length: number): void {
    this.#memory.writeInt32BE(this.#at - length, length);
  }

  #int16(value: number): void {
    this.#at = this.#room(2).writeUInt16BE(value, this.#at);
  }

  #bytes(bytes: ArrayLike<number>): void {
    this.#room(bytes.length).set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #text(text: string): void {
    this.#at += this.#room(text.length * 3).write(text, this.#at);
  }

  #value(data: string | Buffer | null): void {
    const length = this.#at;
    this.#room(4);
    this.#at += 4;
    if (typeof data === "string") this.#text(data);
    else if (data) this.#bytes(data);
    this.#memory.writeInt32BE(data === null ? -1 : this.#at - length - 4, length);
  }
}
