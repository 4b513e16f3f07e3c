// The rows that one selection is written for: bytes from PostgreSQL, or JavaScript objects.
import { oids } from "#src/plan/scalar-writer.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";

export interface Batch {
  readonly count: number;
  get(row: number, name: string): unknown;
  /** A reader of an int4 column that is never null, for many rows. */
  numbers(name: string): (row: number) => unknown;
  object(row: number): unknown;
  cursorOf?(row: number): string;
}

/** Rows as objects: from resolvers, and from the database if rows cannot be read as bytes. */
export class ObjectBatch implements Batch {
  cursorOf?: (row: number) => string;
  readonly #objects: readonly unknown[];

  constructor(objects: readonly unknown[]) {
    this.#objects = objects;
  }

  get count(): number {
    return this.#objects.length;
  }

  get(row: number, name: string): unknown {
    return (this.#objects[row] as Record<string, unknown>)[name]; // an object: batches contain no nulls
  }

  numbers(name: string): (row: number) => unknown {
    return (row) => this.get(row, name);
  }

  object(row: number): unknown {
    return this.#objects[row];
  }
}

/** Rows as bytes; as objects they have the named columns. */
export class RowBatch implements Batch {
  readonly rows: Rows;
  cursorOf?: (row: number) => string;
  readonly #columns: readonly (readonly [name: string, place: number])[];
  readonly #objects: (object | undefined)[] = [];

  constructor(rows: Rows, columns: Iterable<string>) {
    this.rows = rows;
    this.#columns = [...columns].map((name) => [name, rows.place(name)]);
  }

  get count(): number {
    return this.rows.count;
  }

  get(row: number, name: string): unknown {
    return this.rows.value(row, this.rows.place(name));
  }

  numbers(name: string): (row: number) => unknown {
    const { rows } = this;
    const place = rows.place(name);
    if (rows.columns[place]?.oid !== oids.int4) throw new Error(`${name} is not an int4`);
    return (row) => rows.view.getInt32(rows.starts[row * rows.width + place] as number); // the index is within the rows
  }

  object(row: number): object {
    let object = this.#objects[row];
    if (!object) {
      const made: Record<string, unknown> = {};
      for (const [name, place] of this.#columns) made[name] = this.rows.value(row, place);
      this.#objects[row] = object = made;
    }
    return object;
  }
}

export const batchOf = (found: Rows | readonly object[], columns: Iterable<string>): Batch =>
  found instanceof Rows ? new RowBatch(found, columns) : new ObjectBatch(found);
