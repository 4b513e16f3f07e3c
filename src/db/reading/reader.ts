// The reader of one request: equal reads of one tick are one statement.
import DataLoader from "dataloader";
import { notFound } from "#src/base/errors.ts";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { encodeCursor, type ListPosition } from "#src/db/reading/cursor.ts";
import { type Database, type Sql } from "#src/db/connection/database.ts";
import { type Entity, rowsStatement, type Projection } from "#src/db/reading/entity.ts";
import { readRowsAgain, rememberSource, type RowSource } from "#src/db/reading/row-source.ts";
import { emptyPage, Page, type PageArguments, readPageArguments } from "#src/db/reading/page.ts";
import { countStatement, existsStatement, pageStatement, pickStatement } from "#src/db/reading/page-list.ts";
import { orderOf, type PageList, parentKey, type RowKey } from "#src/db/reading/page-list.ts";

type Source = Pick<Database, "query" | "vital">;
type Found = { readonly $parent: number; readonly $key?: string | number };
type Loader<Value> = DataLoader<string, Value>;
type AnyList<Row extends { id: string }, Scope, Args> = PageList<Row, Scope, Args, never>;

/** Loads rows and pages for one scope (viewer). Make one for each request: it caches everything it loaded. */
export class Reader<Scope> {
  readonly #database: Source;
  #scope: Scope;
  /** Everything that the operation has loaded: by entity, list or other owner, then by key. */
  readonly #memory = new Map<object, Map<string, unknown>>();
  readonly budget: Budget;

  constructor(database: Source, scope: Scope, budget = new Budget(operationAllowance)) {
    this.#database = database;
    this.#scope = scope;
    this.budget = budget;
  }

  /** Forgets everything loaded, so that later reads show a change made since. */
  forget(): void {
    this.#memory.clear();
  }

  /** Reads for another scope from now on: the viewer's rights have changed during the operation. */
  readFor(scope: Scope): void {
    this.#scope = scope;
    this.forget();
  }

  /** A reader of the same operation for another scope, such as the viewer with the key of a link. */
  as(scope: Scope): Reader<Scope> {
    return new Reader(this.#database, scope, this.budget);
  }

  /** Counts rows that are returned outside of lists, such as pages from memory. INVALID_INPUT beyond the budget. */
  takeRows(count: number, fields = 1): void {
    this.budget.takeRows(count, fields);
  }

  /** A text that may be long: it counts each time. Throws INVALID_INPUT beyond the budget. */
  handOut<Text extends string | null>(text: Text): Text {
    if (text !== null) this.budget.takeText(text.length);
    return text;
  }

  /** Makes a value once per owner (entity, list or function) and key, until {@link forget}. */
  once<Value>(owner: object, key: string, make: () => Value): Value {
    let values = this.#memory.get(owner);
    if (!values) this.#memory.set(owner, (values = new Map()));
    if (!values.has(key)) values.set(key, make());
    return values.get(key) as Value; // each owner keeps one type of value under a key
  }

  /** The row with this id, or null if it is missing or not visible, wherever the entity looks for it. */
  row<Row extends { id: string }>(of: Entity<Row, Scope>, id: string, projection: Projection): Promise<Row | null> {
    if (this.budget.isOver) return this.budget.refuse();
    const loaded = this.#loader<Row | null>(of, projection.key, async (ids) => {
      const byId = new Map<string, Row>();
      const source = { entity: of, projection, readAt: performance.now() };
      for (let place: Entity<Row, Scope> | undefined = of; place && byId.size < ids.length; place = place.orElse) {
        const missing = ids.filter((one) => !byId.has(one));
        const rows = await this.#query<Row>(rowsStatement(place, missing, projection, this.#scope));
        rememberSource(rows, source);
        for (const row of rows) byId.set(row.id, row);
      }
      return ids.map((one) => byId.get(one) ?? null);
    }).load(id);
    if (projection.selected.texts === 0) return loaded; // without a further promise
    return loaded.then((row) => {
      if (row) this.#takeTexts(of, [row], projection);
      return row;
    });
  }

  /** The row with this id. Throws NOT_FOUND if it is missing or not visible. */
  async found<Row extends { id: string }>(of: Entity<Row, Scope>, id: string, projection: Projection): Promise<Row> {
    const row = await this.row(of, id, projection);
    if (row === null) throw notFound(of.noun);
    return row;
  }

  /** A value with the current state of the rows in it. Throws NOT_FOUND if the viewer can no longer see one. */
  again<Value>(value: Value): Promise<Value> {
    const { vital } = this.#database; // the caller's transaction may use the last of the other connections
    const reader = new Reader({ ...vital, vital }, this.#scope, this.budget);
    const read = ({ entity, projection }: RowSource<Scope>, id: string) => reader.found(entity, id, projection);
    return readRowsAgain(value, read);
  }

  /** A page of the list below one parent. Throws INVALID_INPUT for bad sizes and cursors, and beyond the budget. */
  async page<Row extends { id: string }, Args, Parent extends object>(
    asked: PageList<Row, Scope, Args, Parent>,
    parent: Parent,
    request: { page: PageArguments; args: Args; projection: Projection },
  ): Promise<Page<Row>> {
    if (this.budget.isOver) return this.budget.refuse();
    const { args, projection } = request;
    const list = asked.insteadFor?.(args, this.#scope) ?? asked;
    const order = orderOf(list, args);
    const range = readPageArguments(order, request.page);
    const under = parentKey(list, parent, this.#scope);
    if (under === null) return emptyPage;
    const same = JSON.stringify(args);
    const scope = this.#scope;
    const pages = this.#loader<(Row & Found)[]>(
      list,
      `page ${same} ${projection.key} ${JSON.stringify(range)}`,
      (parents) =>
        this.#groups(
          parents,
          pageStatement(list, parents, { ...range, args, projection, scope, most: this.budget.rowsLeft + 1 }),
        ),
    );
    const found = await pages.load(under);
    if (this.budget.isOver) return this.budget.refuse();
    this.#take(list.entity, found, projection);
    const more = found.length > range.limit;
    const taken = more ? found.slice(0, range.limit) : found;
    const nodes = range.backward ? taken.toReversed() : taken; // other callers share the found rows
    const beyond = (side: "after" | "before", position: ListPosition | null) =>
      position !== null && this.#exists(list, under, same, { side, position, args });
    return new Page<Row>({
      nodes,
      cursorOf: (row) => encodeCursor(order, { key: sortKey(row as Row & Found), id: row.id }),
      hasNextPage: () => (more && !range.backward) || beyond("after", range.before),
      hasPreviousPage: () => (more && range.backward) || beyond("before", range.after),
      totalCount: () => this.#count(list, under, same, args),
    });
  }

  /** All rows of a list below one parent: for lists of limited length. Throws INVALID_INPUT beyond the budget. */
  async all<Row extends { id: string }, Args, Parent extends object>(
    list: PageList<Row, Scope, Args, Parent>,
    parent: Parent,
    { args, projection }: { args: Args; projection: Projection },
  ): Promise<readonly Row[]> {
    if (this.budget.isOver) return this.budget.refuse();
    const scope = this.#scope;
    const under = parentKey(list, parent, scope);
    if (under === null) return [];
    const whole = { limit: operationAllowance.rows, backward: false, after: null, before: null };
    const lists = this.#loader<(Row & Found)[]>(list, `all ${JSON.stringify(args)} ${projection.key}`, (parents) =>
      this.#groups(
        parents,
        pageStatement(list, parents, { ...whole, args, projection, scope, most: this.budget.rowsLeft + 1 }),
      ),
    );
    const rows = await lists.load(under);
    if (this.budget.isOver) return this.budget.refuse();
    this.#take(list.entity, rows, projection);
    return rows;
  }

  /** The row of a list below one parent that has these values, or null. It need not pass the list's filters. */
  async pick<Row extends { id: string }, Args, Parent extends object>(
    list: PageList<Row, Scope, Args, Parent>,
    parent: Parent,
    { key, projection }: { key: RowKey; projection: Projection },
  ): Promise<Row | null> {
    if (this.budget.isOver) return this.budget.refuse();
    const scope = this.#scope;
    const under = parentKey(list, parent, scope);
    if (under === null) return null;
    const picked = this.#loader<(Row & Found)[]>(
      list,
      `pick ${JSON.stringify(key)} ${projection.key}`,
      async (parents) => {
        const source = { entity: list.entity, projection, readAt: performance.now() };
        const groups = await this.#groups<Row>(parents, pickStatement(list, parents, { key, projection, scope }));
        for (const rows of groups) rememberSource(rows, source);
        return groups;
      },
    );
    const rows = await picked.load(under);
    this.#takeTexts(list.entity, rows, projection);
    return rows[0] ?? null;
  }

  /** The number of rows of the whole list below one parent. */
  async count<Row extends { id: string }, Args, Parent extends object>(
    asked: PageList<Row, Scope, Args, Parent>,
    parent: Parent,
    args: Args,
  ): Promise<number> {
    const list = asked.insteadFor?.(args, this.#scope) ?? asked;
    const under = parentKey(list, parent, this.#scope);
    return under === null ? 0 : this.#count(list, under, JSON.stringify(args), args);
  }

  #take<Row extends { id: string }>(of: Entity<Row, Scope>, rows: readonly Row[], projection: Projection): void {
    this.takeRows(rows.length, projection.selected.values);
    this.#takeTexts(of, rows, projection);
  }

  /** Takes the long texts of rows from the budget, as often as they are selected. */
  #takeTexts<Row extends { id: string }>({ texts }: Entity<Row, Scope>, rows: readonly Row[], projection: Projection) {
    const times = projection.selected.texts;
    if (times === 0 || texts.length === 0) return;
    let length = 0;
    for (const row of rows)
      for (const name of texts) length += (row as { readonly [name: string]: string | null })[name]?.length ?? 0;
    this.budget.takeText(length * times);
  }

  #count<Row extends { id: string }, Args>(list: AnyList<Row, Scope, Args>, under: string, same: string, args: Args) {
    return this.#loader<number>(list, `count ${same}`, (parents) =>
      this.#values<number>(parents, "count", countStatement(list, parents, args, this.#scope)),
    ).load(under);
  }

  #exists<Row extends { id: string }, Args>(
    list: AnyList<Row, Scope, Args>,
    under: string,
    same: string,
    request: { side: "after" | "before"; position: ListPosition; args: Args },
  ) {
    const { side, position } = request;
    return this.#loader<boolean>(list, `exists ${same} ${side} ${position.key} ${position.id}`, (parents) =>
      this.#values<boolean>(parents, "exists", existsStatement(list, parents, { ...request, scope: this.#scope })),
    ).load(under);
  }

  async #groups<Row extends object>(parents: readonly string[], statement: Sql): Promise<(Row & Found)[][]> {
    const groups: (Row & Found)[][] = parents.map(() => []);
    for (const row of await this.#query<Row & Found>(statement)) groups[row.$parent - 1]?.push(row);
    return groups;
  }

  async #values<Value>(parents: readonly string[], column: string, statement: Sql): Promise<Value[]> {
    const groups = await this.#groups<Record<string, Value>>(parents, statement);
    return groups.map(([row]) => (row as Record<string, Value>)[column] as Value); // one row for each parent
  }

  /** Statements of an ended operation are not sent, and failures only reach callers who still wait. */
  #query<Row extends object>(statement: Sql): Promise<Row[]> {
    const { budget } = this;
    if (budget.isOver) return budget.refuse();
    return this.#database.query<Row>(statement).catch((error: unknown) => {
      if (budget.isOver) return budget.refuse();
      throw error;
    });
  }

  #loader<Value>(owner: object, key: string, load: (keys: readonly string[]) => Promise<Value[]>): Loader<Value> {
    return this.once(owner, key, () => new DataLoader(load, { maxBatchSize: 10_000 }));
  }
}

/** The sort key of a row that was read for its cursor; a row without one was read for a selection without cursors. */
function sortKey(row: { readonly $key?: Found["$key"] }): string | number {
  if (row.$key === undefined) throw new Error("A cursor was requested for a row that was read without its sort key");
  return row.$key;
}
