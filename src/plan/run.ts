// Running: what a plan needs is read level by level, for all rows of a selection together.
import { defaultFieldResolver, type GraphQLObjectType, isObjectType } from "graphql";
import { PausingList } from "#src/runtime/yielding.ts";
import { whenAll } from "#src/runtime/when-all.ts";
import type { Context } from "#src/domain/context.ts";
import { type Batch, ObjectBatch } from "#src/plan/batch.ts";
import type { Arguments } from "#src/plan/read-declaration.ts";
import { isPromise, letGo } from "#src/plan/scalar-writer.ts";
import { ReadPage } from "#src/plan/pages.ts";
import { type Loaded, selectionOf } from "#src/plan/child-rows.ts";
import { RowReads } from "#src/plan/row-reads.ts";
import type { Child, Selection } from "#src/plan/selection.ts";
import { Unfit } from "#src/plan/unsupported.ts";

/** One run of a plan: the rows that were read. */
export class Run {
  readonly context: Context;
  readonly variables: Arguments;
  readonly #loaded: (Loaded | undefined)[] = [];
  readonly #reads: RowReads;

  constructor(context: Context, variables: Arguments) {
    this.context = context;
    this.variables = variables;
    this.#reads = new RowReads(context, variables);
  }

  /** Reads everything that is selected of these rows. Throws what reads throw, and {@link Unfit}. */
  read(selection: Selection, batch: Batch): Promise<unknown> | undefined {
    if (batch.count === 0) return undefined;
    const waits: Promise<unknown>[] = [];
    for (const child of selection.children) {
      const wait = this.#tryChild(child, batch);
      if (wait) waits.push(wait);
    }
    return waits.length > 1 ? whenAll(waits) : waits[0];
  }

  /** What was read for a child of a selection that has rows. */
  loaded({ index }: Child): Loaded {
    const loaded = this.#loaded[index];
    if (!loaded) throw new Unfit("something was not read");
    return loaded;
  }

  /** Gives the memory of all rows back: nobody looks at them any more. */
  free(): void {
    this.#reads.free();
  }

  /** What fails at once fails as a promise, so that it is not thrown past those that are under way. */
  #tryChild(child: Child, batch: Batch): Promise<unknown> | undefined {
    try {
      const loaded = this.#load(child, batch);
      return loaded instanceof Promise ? loaded.then((later) => this.#keep(child, later)) : this.#keep(child, loaded);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #keep(child: Child, loaded: Loaded): Promise<unknown> | undefined {
    this.#loaded[child.index] = loaded;
    const { targets } = loaded;
    const [first] = targets;
    if (first && targets.length === 1) return this.read(first.selection, first.batch);
    return whenAll(targets.flatMap(({ selection, batch }) => this.read(selection, batch) ?? []));
  }

  #load(child: Child, batch: Batch): Loaded | Promise<Loaded> {
    const { read } = child;
    switch (read.kind) {
      case "list":
        return this.#reads.list(child, read, batch);
      case "rows":
        return this.#reads.firstRows(child, read, batch);
      case "pick":
        return this.#reads.pick(child, read, batch);
      case "row":
        return this.#reads.row(child, read, batch);
      case "find":
        return this.#reads.find(child, read, batch);
      case "nodes":
      case "edges": {
        const { pages } = batch.object(0) as ReadPage; // these are fields of a connection of a list
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

  #resolve(child: Child, batch: Batch): Loaded | Promise<Loaded> {
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

  /** Values of a field, one for each row of the parent, as what their selections are written for. */
  #complete(child: Child, found: readonly unknown[]): Loaded {
    const values = child.isList ? found.map(withoutPauses) : found;
    if (!child.of) return { values, targets: [] };
    if (!child.isList) return this.#sort(child, values, child.isNullable);
    const items: unknown[] = [];
    const first: number[] = [];
    const last: number[] = [];
    for (const value of values) {
      if (value == null ? !child.isNullable : !Array.isArray(value)) throw new Unfit("no list");
      first.push(value == null ? -1 : items.length);
      for (const item of (value ?? []) as readonly unknown[]) items.push(item);
      last.push(items.length);
    }
    return { ...this.#sort(child, items, child.hasNullItems), first, last, isCounted: true };
  }

  /** Sorts rows by their types; `order` says which row each item of a list is, null that they are in their order. */
  #sortRows(child: Child, rows: Batch, order: ArrayLike<number> | null): Loaded {
    const objects = Array.from({ length: rows.count }, (_, row) => rows.object(order?.[row] ?? row));
    return this.#sort(child, objects, false);
  }

  /** Sorts objects by their types. */
  #sort(child: Child, values: readonly unknown[], mayBeNull: boolean): Loaded {
    const at: number[] = [];
    const which: number[] = [];
    const types = isObjectType(child.of) ? [child.of] : [];
    const objects: unknown[][] = [];
    if (values.some(isPromise)) throw letGo(values);
    for (const value of values) {
      if (value == null) {
        if (!mayBeNull) throw new Unfit("null");
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
    if (!of || !isObjectType(type) || !info.schema.isSubType(of, type)) throw new Unfit("a value of no known type");
    return type;
  }
}

/** A list as it is: what is made of it here pauses by itself. */
function withoutPauses(list: unknown): unknown {
  return list instanceof PausingList ? list.items : list;
}
