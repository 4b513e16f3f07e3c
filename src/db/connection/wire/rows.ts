// The rows of a result as the bytes that PostgreSQL sent, with the position of each value.
import { CorruptStreamError } from "#src/db/connection/server-messages.ts";
import { giveMemory, takeMemory } from "#src/runtime/pooled-memory.ts";
import { isReadInBinary, type ReadValue, readerOf } from "#src/db/connection/wire/values.ts";

export interface NamedType {
  readonly name: string;
  readonly oid: number;
}

export interface Column extends NamedType {
  readonly isBinary: boolean;
}

/** The shape of the rows of a statement; one object for all its runs, as long as its columns do not change. */
export class Shape {
  readonly columns: readonly Column[];
  readonly places: ReadonlyMap<string, number>;
  readonly readers: readonly ReadValue[];

  constructor(columns: readonly NamedType[]) {
    this.columns = columns.map(({ name, oid }) => ({ name, oid, isBinary: isReadInBinary(oid) }));
    this.places = new Map(columns.map(({ name }, place) => [name, place])); // the last of a name counts, as in `pg`
    this.readers = columns.map(({ oid }) => readerOf(oid));
  }
}

const noBytes = Buffer.alloc(0);
const noView = new DataView(noBytes.buffer, 0, 0);
const noPlaces = new Int32Array(0);

/** V8 keeps tables of up to this many values in its young generation, which costs less than pooled memory. */
const smallTable = 16;

/** Frames of rows: `frames` are their positions in `bytes`, from `origin` on. The bytes are returned with the rows. */
export interface FramedRows {
  readonly bytes: Buffer;
  readonly origin: number;
  readonly frames: readonly number[];
}

/** The rows of a result: value `c` of row `r` starts at starts[r*width+c], lengths[r*width+c] long (-1: NULL). */
export class Rows {
  readonly columns: readonly Column[];
  count: number;
  readonly width: number;
  readonly bytes: Buffer;
  /** The same bytes, for reading several at a time. */
  readonly view: DataView;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly #shape: Shape;
  #table: Buffer;

  /** Takes ownership of the bytes. Throws if a row does not match the columns, or a value exceeds its row. */
  constructor(shape: Shape, { bytes, origin, frames }: FramedRows) {
    this.#shape = shape;
    this.columns = shape.columns;
    this.width = shape.columns.length;
    this.count = frames.length;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const size = this.count * this.width;
    const isSmall = size <= smallTable;
    this.#table = isSmall ? noBytes : takeMemory(size * 8);
    this.starts = isSmall ? new Int32Array(size) : new Int32Array(this.#table.buffer, 0, size);
    this.lengths = isSmall ? new Int32Array(size) : new Int32Array(this.#table.buffer, size * 4, size);
    for (let row = 0; row < frames.length; row++) this.#findValues(row * this.width, origin + (frames[row] ?? 0));
  }

  /** Fills in the positions of a row. Its frame: code, length, number of values; then each value after its length. */
  #findValues(first: number, frame: number): void {
    const { bytes, starts, lengths } = this;
    const end = frame + 1 + bytes.readInt32BE(frame + 1);
    let at = frame + 7;
    if (at > end || bytes.readInt16BE(frame + 5) !== this.width)
      throw new CorruptStreamError("a row that does not match its columns");
    for (let place = first; place < first + this.width; place++) {
      const length = at + 4 > end ? -2 : bytes.readInt32BE(at);
      if (length < -1) throw new CorruptStreamError("a row that ends before its values");
      at += 4;
      starts[place] = at;
      lengths[place] = length;
      if (length > 0) at += length;
    }
    if (at !== end) throw new CorruptStreamError("a row whose length does not match its values");
  }

  /** The index of a column. Throws for an unknown one. */
  place(name: string): number {
    const place = this.#shape.places.get(name);
    if (place === undefined) throw new Error(`The column "${name}" does not exist.`);
    return place;
  }

  /** A value as `database.query` returns it. Throws if the bytes are not a valid value of the column's type. */
  value(row: number, column: number): unknown {
    const place = row * this.width + column;
    const [start, length, read] = [this.starts[place], this.lengths[place], this.#shape.readers[column]];
    if (start === undefined || length === undefined || !read)
      throw new RangeError(`No value exists at ${row}, ${column}.`);
    return length < 0 ? null : read(this.bytes, start, start + length);
  }

  /** Removes some rows, given by their indexes in ascending order. */
  leaveOut(rows: readonly number[]): void {
    let to = rows[0] ?? this.count;
    for (const [index, row] of rows.entries()) {
      const [start, end] = [row + 1, rows[index + 1] ?? this.count];
      for (const table of [this.starts, this.lengths])
        table.copyWithin(to * this.width, start * this.width, end * this.width);
      to += end - start;
    }
    this.count = to;
  }

  /** Returns the memory: the rows must no longer be used. A second time has no effect. */
  free(): void {
    giveMemory(this.#table);
    giveMemory(this.bytes);
    this.#table = noBytes;
    // Readonly for others: access after this finds nothing, instead of another result.
    Object.assign(this, { bytes: noBytes, view: noView, starts: noPlaces, lengths: noPlaces });
  }
}
