// Runs a compiled operation: reads level by level, for all rows of a selection together.
import { defaultFieldResolver, type GraphQLObjectType, isObjectType } from "graphql";
import { isPauseDue, pause, PausingList } from "#src/runtime/yielding.ts";
import { type PromiseOrValue, whenAll } from "#src/runtime/waiting.ts";
import { parentColumns } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { type Batch, ObjectBatch } from "#src/plan/batch.ts";
import type { AnyList, Arguments } from "#src/plan/read-declaration.ts";
import { abandon, isPromise } from "#src/plan/scalar-writer.ts";
import { ReadPage } from "#src/plan/pages.ts";
import { type Child, type ChildRows, type Selection, selectionOf } from "#src/plan/selection.ts";
import { RowReads } from "#src/plan/row-reads.ts";
import { Unsupported } from "#src/plan/byte-writer.ts";

/** From so many rows on, what is read of them takes a part of a turn. */
const manyRows = 100;

export class Run {
  readonly context: Context;
  readonly variables: Arguments;
  readonly #childRows: (ChildRows | undefined)[] = [];
  /** Lists that are read before the row that they belong to is there, by the index of their child. */
  readonly #early: (PromiseOrValue<ChildRows> | undefined)[] = [];
  readonly #reads: RowReads;

  constructor(context: Context, variables: Arguments) {
    this.context = context;
    this.variables = variables;
    this.#reads = new RowReads(context, variables);
  }

  /** Reads everything that is selected of these rows. Throws {@link Unsupported}, and errors of reads. */
  read(selection: Selection, batch: Batch): Promise<unknown> | undefined {
    if (batch.count === 0 || selection.children.length === 0) return undefined;
    return allOf(selection.children.map((child) => this.#tryChild(child, batch)));
  }

  /** The rows read for a child of a selection that has rows. */
  rowsOf({ index }: Child): ChildRows {
    const rows = this.#childRows[index];
    if (!rows) throw new Unsupported("something was not read");
    return rows;
  }

  /** Returns the memory of all rows to the pool. */
  free(): void {
    this.#reads.free();
  }

  /** Turns a synchronous failure into a rejection, so that it does not overtake pending reads. */
  #tryChild(child: Child, batch: Batch): Promise<unknown> | undefined {
    try {
      const rows = this.#load(child, batch);
      return rows instanceof Promise ? rows.then((later) => this.#keep(child, later)) : this.#keep(child, rows);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  /** Many rows are read further in turns. */
  #keep(child: Child, rows: ChildRows): Promise<unknown> | undefined {
    this.#childRows[child.index] = rows;
    const isLong = rows.targets.some(({ batch }) => batch.count >= manyRows);
    return isLong && isPauseDue() ? pause().then(() => this.#readBelow(rows)) : this.#readBelow(rows);
  }

  #readBelow({ targets }: ChildRows): Promise<unknown> | undefined {
    return allOf(targets.map(({ selection, batch }) => this.read(selection, batch)));
  }

  #load(child: Child, batch: Batch): PromiseOrValue<ChildRows> {
    const { read } = child;
    switch (read.kind) {
      case "list":
        return this.#early[child.index] ?? this.#reads.list(child, read, batch);
      case "rows":
        return this.#reads.firstRows(child, read, batch);
      case "pick":
        return this.#reads.pick(child, read, batch);
      case "row":
        return this.#reads.row(child, read, batch);
      case "find": {
        const found = this.#reads.find(child, read, batch);
        if (batch.count === 1) this.#readAlong(child);
        return found;
      }
      case "nodes":
      case "edges": {
        const { pages } = batch.object(0) as ReadPage; // the fields belong to a connection of a list
        const { first, last, at } = pages;
        if (isObjectType(child.of)) return { first, last, at, targets: [pages.target(selectionOf(child))] };
        return { first, last, ...this.#sortRows(child, pages.rowsOf(child.of), at) };
      }
      case "node":
        return this.#sortRows(child, batch, null);
      default:
        return this.#resolve(child, batch);
    }
  }

  /**
   * Sends the lists below a row that is found by its id together with its own statement, in one round trip: the id is
   * all that they need of it. Nothing of them is used unless the row is found.
   */
  #readAlong(child: Child): void {
    for (const below of selectionOf(child).children) {
      if (below.read.kind !== "list" || !needsOnlyId(below.read.list)) continue;
      const { id } = child.argsOf(this.variables);
      try {
        const rows = this.#reads.list(below, below.read, new ObjectBatch([{ id }]));
        if (rows instanceof Promise) rows.catch(() => {}); // thrown when it is used
        this.#early[below.index] = rows;
      } catch {
        continue; // invalid arguments are an error only below a row that exists
      }
    }
  }

  #resolve(child: Child, batch: Batch): PromiseOrValue<ChildRows> {
    const resolve = child.field.resolve ?? defaultFieldResolver;
    const args = child.argsOf(this.variables);
    const info = { ...child.info, variableValues: this.variables };
    const values: unknown[] = [];
    let isPending = false;
    try {
      for (let row = 0; row < batch.count; row++) {
        const value: unknown = resolve(batch.object(row), args, this.context, info);
        isPending ||= isPromise(value);
        values.push(value);
      }
    } catch (error) {
      if (!isPending) throw error;
      values.push(Promise.reject(error as Error));
    }
    return isPending
      ? whenAll(values).then((settled) => this.#complete(child, settled))
      : this.#complete(child, values);
  }

  /** The values of a field, one for each parent row, with their selections. */
  #complete(child: Child, found: readonly unknown[]): ChildRows {
    const values = child.isList ? found.map(withoutPauses) : found;
    if (!child.of) return { values, targets: [] };
    if (!child.isList) return this.#sort(child, values, child.isNullable);
    const items: unknown[] = [];
    const first: number[] = [];
    const last: number[] = [];
    for (const value of values) {
      if (value == null ? !child.isNullable : !Array.isArray(value)) throw new Unsupported("no list");
      first.push(value == null ? -1 : items.length);
      for (const item of (value ?? []) as readonly unknown[]) items.push(item);
      last.push(items.length);
    }
    return { ...this.#sort(child, items, child.hasNullItems), first, last, isCounted: true };
  }

  /** Groups rows by type; `order` is the row of each list item, or null if they are in order. */
  #sortRows(child: Child, rows: Batch, order: ArrayLike<number> | null): ChildRows {
    const objects = Array.from({ length: rows.count }, (_, row) => rows.object(order?.[row] ?? row));
    return this.#sort(child, objects, false);
  }

  /** Groups objects by type. */
  #sort(child: Child, values: readonly unknown[], mayBeNull: boolean): ChildRows {
    const at: number[] = [];
    const which: number[] = [];
    const types = isObjectType(child.of) ? [child.of] : [];
    const objects: unknown[][] = [];
    if (values.some(isPromise)) throw abandon(values);
    for (const value of values) {
      if (value == null) {
        if (!mayBeNull) throw new Unsupported("null");
        at.push(-1);
        which.push(0);
        continue;
      }
      const type = this.#typeOf(child, value);
      let place = types.indexOf(type);
      if (place < 0) place = types.push(type) - 1;
      const same = (objects[place] ??= []);
      which.push(place);
      at.push(same.push(value) - 1);
    }
    const targets = types.map((type, place) => ({
      selection: selectionOf(child, type),
      batch: new ObjectBatch(objects[place] ?? []),
    }));
    return { at, which, targets };
  }

  #typeOf({ of, info }: Child, value: unknown): GraphQLObjectType {
    if (isObjectType(of)) return of;
    const name = of?.resolveType?.(value, this.context, { ...info, variableValues: this.variables }, of);
    const type = typeof name === "string" ? info.schema.getType(name) : undefined;
    if (!of || !isObjectType(type) || !info.schema.isSubType(of, type))
      throw new Unsupported("a value of an unknown type");
    return type;
  }
}

const needsOnlyId = (list: AnyList): boolean => parentColumns(list).every((name) => name === "id");

/** The items of a list: compiled runs pause by themselves. */
const withoutPauses = (list: unknown): unknown => (list instanceof PausingList ? list.items : list);

/** Waits for all that are pending; undefined if nothing is. */
function allOf(waits: readonly (Promise<unknown> | undefined)[]): Promise<unknown> | undefined {
  const pending = waits.filter((wait) => wait !== undefined);
  return pending.length > 1 ? whenAll(pending) : pending[0];
}
