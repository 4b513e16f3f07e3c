// Messages to the server, gathered into one piece of memory until they are sent.
import pgValues from "pg/lib/utils.js";
import { giveMemory, takeMemory } from "#src/runtime/pooled-memory.ts";
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

/** The most bytes of an encoded value. */
function mostBytes(data: string | Buffer | null): number {
  if (data === null) return 0;
  return typeof data === "string" ? 3 * data.length : data.length;
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function message(code: number, text: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0\0${text}`);
  bytes[0] = code;
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

const syncMessage = message(sync, "");

/** The bytes that all runs of a statement share, before and after its values. */
interface Frame {
  readonly head: Buffer;
  readonly tail: Buffer;
}

const frames = new WeakMap<Shape, Frame>();

/** The frame of a statement, of which each has a shape of its own. */
function frameOf(name: string, shape: Shape): Frame {
  const known = frames.get(shape);
  if (known) return known;
  const { columns } = shape;
  const formats = [columns.length, ...columns.map(({ isBinary }) => (isBinary ? 1 : 0))].map(int16);
  const frame = {
    head: message(bind, `\0${name}\0`), // the unnamed portal
    tail: Buffer.concat([...formats, message(execute, "\0\0\0\0\0")]), // all rows
  };
  frames.set(shape, frame);
  return frame;
}

/** Messages that are not sent yet. */
export class Outbox {
  #memory: Buffer = noBytes;
  #at = 0;

  /** Prepares a statement under its name, replacing another one of that name, and asks for its columns. */
  prepare(name: string, text: string): void {
    this.#bytes(message(close, `S${name}\0`));
    this.#bytes(message(parse, `${name}\0${text}\0\0\0`)); // without types of parameters
    this.#bytes(message(describe, `S${name}\0`));
    this.sync();
  }

  /** Ends a group of messages: the server sends its results, and an error in it skips the rest of it. */
  sync(): void {
    this.#bytes(syncMessage);
  }

  /** Runs a prepared statement, in a group. Throws, and adds nothing, if a value cannot be written. */
  run(name: string, shape: Shape, values: readonly unknown[]): void {
    const { head, tail } = frameOf(name, shape);
    const encoded = values.map(encode);
    let most = head.length + 4 + 6 * encoded.length + tail.length;
    for (const data of encoded) most += mostBytes(data);
    const memory = this.#room(most); // asked for once: runs are many, and their values few and short
    const start = this.#at;
    memory.set(head, start);
    let at = memory.writeUInt16BE(encoded.length, start + head.length);
    for (let index = 0; index < encoded.length; index++)
      at = memory.writeUInt16BE(encoded[index] instanceof Buffer && !Array.isArray(values[index]) ? 1 : 0, at);
    at = memory.writeUInt16BE(encoded.length, at);
    for (const data of encoded) at = writeValue(memory, data, at);
    // The length counts itself, and the formats of the columns, which are the beginning of the tail.
    memory.writeInt32BE(at - start - 1 + 2 * (shape.columns.length + 1), start + 1);
    memory.set(tail, at);
    this.#at = at + tail.length;
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

  #bytes(bytes: Buffer): void {
    this.#room(bytes.length).set(bytes, this.#at);
    this.#at += bytes.length;
  }
}

/** Writes a value after its length. Returns where it ends. */
function writeValue(memory: Buffer, data: string | Buffer | null, start: number): number {
  let end = start + 4;
  if (typeof data === "string") end += memory.write(data, end);
  else if (data) {
    memory.set(data, end);
    end += data.length;
  }
  memory.writeInt32BE(data === null ? -1 : end - start - 4, start);
  return end;
}
