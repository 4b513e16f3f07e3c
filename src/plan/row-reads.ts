// Reads lists and rows, one statement for all parents; visibility, paging and limits are those of the reader.
import { type PromiseOrValue, whenAll } from "#src/runtime/waiting.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";
import { type Sql, type Statement, statementOf } from "#src/db/connection/database.ts";
import { rowsStatement } from "#src/db/reading/entity.ts";
import { type PageArguments, pageSize, readPageArguments } from "#src/db/reading/page.ts";
import {
  countStatement,
  existsStatement,
  orderOf,
  type PageRequest,
  pageStatement,
  parentKey,
  pickStatement,
} from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Batch, batchOf, ObjectBatch } from "#src/plan/batch.ts";
import type { AnyEntity, AnyList, Arguments, FieldRead, Row, Scope } from "#src/plan/read-declaration.ts";
import { Pages, ReadPage } from "#src/plan/pages.ts";
import { type Child, type ChildRows, selectionOf, type Target } from "#src/plan/selection.ts";
import { Unsupported } from "#src/plan/byte-writer.ts";

type Found = Rows | readonly object[];
type Kind<Of extends FieldRead["kind"]> = Extract<FieldRead, { kind: Of }>;

/** The distinct keys of parents, and the index of each parent row's key; -1 for none. */
interface Keys {
  readonly keys: string[];
  readonly places: Int32Array;
}

function keysOf(batch: Batch, keyOf: (row: Row) => string | null): Keys {
  const places = new Int32Array(batch.count);
  // Most operations start at one row, which needs no index of keys.
  if (batch.count === 1) {
    const key = keyOf(batch.object(0) as Row); // rows that fields read from are objects
    if (key === null) places[0] = -1;
    return { keys: key === null ? [] : [key], places };
  }
  const known = new Map<string, number>();
  for (let row = 0; row < batch.count; row++) {
    const key = keyOf(batch.object(row) as Row); // rows that fields read from are objects
    let place = key === null ? -1 : known.get(key);
    if (place === undefined && key !== null) known.set(key, (place = known.size));
    places[row] = place ?? -1;
  }
  return { keys: [...known.keys()], places };
}

/** The rows of pages, their counts, and whether rows exist after and before them; null if not read. */
type ReadForPages = readonly [rows: Found, counts: Batch | null, existAfter: Batch | null, existBefore: Batch | null];

export class RowReads {
  readonly #context: Context;
  readonly #variables: Arguments;
  readonly #found: Rows[] = [];
  #count = 0;

  constructor(context: Context, variables: Arguments) {
    this.#context = context;
    this.#variables = variables;
  }

  free(): void {
    for (const rows of this.#found) rows.free();
  }

  list(child: Child, { list, filter }: Kind<"list">, batch: Batch): PromiseOrValue<ChildRows> {
    const { first, after, last, before, ...others } = child.argsOf(this.#variables);
    const page = { first, after, last, before } as PageArguments; // every connection has these arguments
    return this.#pages(child, { list, page, args: filter(others) }, batch, (pages, places) => {
      const objects = Array.from({ length: pages.count }, (_, index) => new ReadPage(pages, index));
      const at = places.map((place) => (place < 0 ? pages.count - 1 : place));
      return { at, targets: [{ selection: selectionOf(child), batch: new ObjectBatch(objects) }] };
    });
  }

  firstRows(child: Child, { list }: Kind<"rows">, batch: Batch): PromiseOrValue<ChildRows> {
    const request = { list, page: { first: pageSize.max }, args: {} };
    return this.#pages(child, request, batch, (pages, places) => {
      const of = (ends: Int32Array) => places.map((place) => ends.at(place) ?? 0); // -1 is the empty page
      return { first: of(pages.first), last: of(pages.last), targets: [pages.target(selectionOf(child))] };
    });
  }

  async pick(child: Child, { list, key, scope: scopeOf }: Kind<"pick">, batch: Batch): Promise<ChildRows> {
    const args = child.argsOf(this.#variables);
    const scope = this.#scopeBy(scopeOf, args);
    const { keys, places } = keysOf(batch, (row) => parentKey(list, row, scope));
    const found = await this.#query(pickStatement(list, keys, { key: key(args), projection: wantedOf(child), scope }));
    const selection = selectionOf(child);
    const rows = batchOf(found, selection.columns);
    const at = new Int32Array(keys.length).fill(-1);
    for (let row = 0; row < rows.count; row++) at[(rows.get(row, "$parent") as number) - 1] = row; // an index
    return one({ selection, batch: rows }, places, (place) => at[place] ?? -1, false);
  }

  row(child: Child, { entity, id, isNullable }: Kind<"row">, batch: Batch): PromiseOrValue<ChildRows> {
    return this.#byId(child, entity, keysOf(batch, id), { scope: this.#context.viewer, isNullable });
  }

  find(child: Child, { entity, scope: scopeOf }: Kind<"find">, batch: Batch): PromiseOrValue<ChildRows> {
    const { id, ...others } = child.argsOf(this.#variables);
    const keys = keysOf(batch, () => id as string); // an id by the schema
    return this.#byId(child, entity, keys, { scope: this.#scopeBy(scopeOf, others), isNullable: false });
  }

  #byId(
    child: Child,
    entity: AnyEntity,
    { keys, places }: Keys,
    { scope, isNullable }: { scope: Viewer; isNullable: boolean },
  ): PromiseOrValue<ChildRows> {
    const take = (found: Found): ChildRows => {
      const selection = selectionOf(child);
      const rows = batchOf(this.#keep(found), selection.columns);
      if (entity.orElse && rows.count < keys.length) throw new Unsupported("rows that may be found elsewhere");
      if (keys.length === 1) return one({ selection, batch: rows }, places, () => rows.count - 1, isNullable);
      const byId = new Map<unknown, number>();
      for (let row = 0; row < rows.count; row++) byId.set(rows.get(row, "id"), row);
      return one({ selection, batch: rows }, places, (place) => byId.get(keys[place]) ?? -1, isNullable);
    };
    if (keys.length === 0) return take([]);
    const make = () => rowsStatement(entity, keys, wantedOf(child), scope);
    const same = keys.length === 1 ? "one" : "";
    return this.#context.database.rows(rowsOf.for(child, { scope, same, keys }, make)).then(take);
  }

  #pages(
    child: Child,
    { list: asked, page, args }: { list: AnyList; page: PageArguments; args: object },
    batch: Batch,
    make: (pages: Pages, places: Int32Array) => ChildRows,
  ): PromiseOrValue<ChildRows> {
    const { viewer: scope, reader } = this.#context;
    const list = asked.insteadFor?.(args, scope) ?? asked;
    const order = orderOf(list, args);
    const range = readPageArguments(order, page);
    const { keys, places } = keysOf(batch, (row) => parentKey(list, row, scope));
    const parents = keys.length;
    if (parents === 0) return make(new Pages({ ...noRows, order, range }), places);
    const exactly = !child.connectionFields.has("hasNextPage") && !child.connectionFields.has("hasPreviousPage");
    const { rowsLeft } = reader.budget;
    const most = rowsLeft - this.#count + 1;
    const request = { ...range, args, projection: wantedOf(child), scope, most, exactly };
    // If all parents share one row limit (pageStatement), the statement depends on it.
    const same = `${JSON.stringify(args)} ${JSON.stringify(range)} ${parents * (range.limit + 1) > most ? most : ""}`;
    const reading = this.#query(rowsOf.for(child, { scope, same, keys }, () => pageStatement(list, keys, request)));
    const take = ([rows, counts, existAfter, existBefore]: ReadForPages): ChildRows => {
      this.#count += rows instanceof Rows ? rows.count : rows.length;
      if (this.#count > rowsLeft) reader.budget.takeRows(this.#count, 0); // throws
      return make(new Pages({ parents, order, range, rows, counts, existAfter, existBefore }), places);
    };
    const asks = (field: string) => child.connectionFields.has(field);
    // Most lists are read alone: awaiting four results costs four more promises.
    if (exactly && !asks("totalCount")) return reading.then((rows) => take([rows, null, null, null]));
    return whenAll([
      reading,
      asks("totalCount")
        ? this.#answers(countsOf.for(child, { scope, same, keys }, () => countStatement(list, keys, args, scope)))
        : null,
      asks("hasNextPage") ? this.#exist(list, keys, args, { side: "after", at: range.before }) : null,
      asks("hasPreviousPage") ? this.#exist(list, keys, args, { side: "before", at: range.after }) : null,
    ] as const).then(take);
  }

  #exist(
    list: AnyList,
    keys: readonly string[],
    args: object,
    { side, at: position }: { side: "after" | "before"; at: PageRequest["after"] },
  ): Promise<Batch> | null {
    if (position === null) return null;
    return this.#answers(existsStatement(list, keys, { side, position, args, scope: this.#context.viewer }));
  }

  async #answers(statement: Statement): Promise<Batch> {
    return batchOf(await this.#query(statement), []);
  }

  #query(statement: Statement): Promise<Found> {
    return this.#context.database.rows(statement).then(this.#keep);
  }

  readonly #keep = (found: Found): Found => {
    if (found instanceof Rows) this.#found.push(found);
    return found;
  };

  #scopeBy(scope: Scope, args: Arguments): Viewer {
    return scope?.(this.#context.viewer, args) ?? this.#context.viewer;
  }
}

/** The last statement of each child: the next run mostly differs only in its keys. */
class Statements {
  readonly #last = new WeakMap<Child, Statement & { scope: Viewer; same: string; place: number }>();

  /** The statement of `make`; the last one with other keys if scope and arguments are the same. */
  for(
    child: Child,
    { scope, same, keys }: { scope: Viewer; same: string; keys: readonly string[] },
    make: () => Sql,
  ): Statement {
    const last = this.#last.get(child);
    if (last?.scope === scope && last.same === same)
      return { text: last.text, values: last.values.with(last.place, keys) };
    const { text, values } = statementOf(make());
    const place = values.indexOf(keys);
    if (place >= 0) this.#last.set(child, { text, values, scope, same, place });
    return { text, values };
  }
}

const rowsOf = new Statements();
const countsOf = new Statements();

const noRows = { parents: 0, rows: [], counts: null, existAfter: null, existBefore: null };

/** One row for each parent row. A missing non-null row is an error, reported field by field. */
function one(target: Target, places: Int32Array, rowAt: (place: number) => number, isNullable: boolean): ChildRows {
  const at = places.map((place) => (place < 0 ? -1 : rowAt(place)));
  if (!isNullable && at.includes(-1)) throw new Unsupported("a missing row");
  return { at, targets: [target] };
}

function wantedOf({ projection, field }: Child) {
  if (!projection) throw new Error(`${field.name} does not read rows`);
  return projection;
}
