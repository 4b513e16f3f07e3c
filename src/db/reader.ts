// The reader of one request: every row and every page goes through it, batched by what is asked alike in one tick.
import DataLoader from "dataloader";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { decodeCursor, encodeCursor, type Order, type Position } from "#src/db/cursor.ts";
import { type Database, type Sql, sql } from "#src/db/database.ts";
import { type Entity, selectList, type Wanted } from "#src/db/entity.ts";
import { countStatement, existsStatement, type PageList, type PageRequest, pageStatement } from "#src/db/page-list.ts";

/** Page size when none is asked for, and the largest one (spec 1, section 2.1; the same for REST and GraphQL). */
export const pageSize = { default: 50, max: 1000 } as const;

/** The most rows that all lists of one operation may give together, so that no document fills the memory. */
export const rowLimit = 100_000;

/** How a caller asks for a page, in the terms of the Relay cursor connections specification. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a list. What costs a further statement is a function, and runs only when called. */
export interface Page<Row> {
  readonly nodes: readonly Row[];
  cursorOf(row: Row): string;
  hasNextPage(): boolean | Promise<boolean>;
  hasPreviousPage(): boolean | Promise<boolean>;
  totalCount(): number | Promise<number>;
}

/** The page of a list in which the viewer may see nothing. */
export const emptyPage: Page<never> = {
  nodes: [],
  cursorOf: () => "",
  hasNextPage: () => false,
  hasPreviousPage: () => false,
  totalCount: () => 0,
};

type Found = { readonly $parent: number; readonly $key?: string | number };
type Loader<Value> = DataLoader<string, Value>;

/** Loads rows and pages for one scope (viewer). Make one for each request: it remembers what it loaded. */
export class Reader<Scope> {
  readonly #database: Database;
  #scope: Scope;
  // One map for loaders of every value type; the key names the type, and the two makers below restore it.
  readonly #loaders = new Map<string, Loader<unknown>>();
  #rowsLeft = rowLimit;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#scope = scope;
  }

  /** Forgets everything loaded, so that what is read next shows a change made since. */
  forget(): void {
    this.#loaders.clear();
  }

  /** Reads for another scope from now on: what the viewer may see has changed in the middle of an operation. */
  readFor(scope: Scope): void {
    this.#scope = scope;
    this.forget();
  }

  /** Throws INVALID_INPUT once the lists have given more than {@link rowLimit} rows. */
  checkRowLimit(): void {
    if (this.#rowsLeft >= 0) return;
    throw new DomainError("INVALID_INPUT", `This asks for more than ${rowLimit} rows in all; ask for smaller pages.`);
  }

  /** Lets the operation have all its rows again: it is run a second time, from the start. */
  restart(): void {
    this.#rowsLeft = rowLimit;
  }

  /** Counts rows that are handed out past the lists, such as pages of content from memory. Throws as {@link checkRowLimit} does. */
  takeRows(count: number): void {
    this.#rowsLeft -= count;
    this.checkRowLimit();
  }

  /** The row with this id, or null when it is missing or not visible. */
  row<Row extends { id: string }>(of: Entity<Row, Scope>, id: string, wanted: Wanted): Promise<Row | null> {
    return this.#loader<Row | null>(`row ${of.kind} ${of.name} ${wanted.key}`, async (ids) => {
      const rows = await this.#database.query<Row>(
        sql`select ${selectList(of, wanted, this.#scope)} from ${of.table} t
          where t.id = any(${ids}::text[]) and ${of.visible(this.#scope)}`,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    }).load(id);
  }

  /** A page of the list below one parent. Throws INVALID_INPUT for bad sizes and cursors, and beyond {@link rowLimit}. */
  async page<Row extends { id: string }, Args>(
    list: PageList<Row, Scope, Args>,
    parent: string,
    request: { page: PageArguments; args: Args; wanted: Wanted },
  ): Promise<Page<Row>> {
    const { args, wanted } = request;
    const order = list.order(args);
    const asked = readPageArguments(order, request.page);
    const same = `${list.name} ${JSON.stringify(args)}`;
    const scope = this.#scope;
    const pages = this.#loader<(Row & Found)[]>(`page ${same} ${wanted.key} ${JSON.stringify(asked)}`, (parents) =>
      this.#groups(parents, pageStatement(list, parents, { ...asked, args, wanted, scope, most: this.#rowsLeft + 1 })),
    );
    const found = await pages.load(parent);
    this.takeRows(found.length);
    const more = found.length > asked.limit;
    const nodes = more ? found.slice(0, asked.limit) : found;
    if (asked.backward) nodes.reverse();
    const beyond = (side: "after" | "before", position: Position | null) =>
      position !== null && this.#exists(list, parent, same, { side, position, args });
    return {
      nodes,
      cursorOf: (row) => encodeCursor(order, { key: (row as Row & Found).$key ?? row.id, id: row.id }),
      hasNextPage: () => (more && !asked.backward) || beyond("after", asked.before),
      hasPreviousPage: () => (more && asked.backward) || beyond("before", asked.after),
      totalCount: () => this.#count(list, parent, same, args),
    };
  }

  /** All rows of a list below one parent: for lists whose length has a limit of its own. Throws INVALID_INPUT beyond {@link rowLimit}. */
  async all<Row extends { id: string }, Args>(
    list: PageList<Row, Scope, Args>,
    parent: string,
    { args, wanted }: { args: Args; wanted: Wanted },
  ): Promise<readonly Row[]> {
    const scope = this.#scope;
    const whole = { limit: rowLimit, backward: false, after: null, before: null };
    const lists = this.#loader<(Row & Found)[]>(`all ${list.name} ${JSON.stringify(args)} ${wanted.key}`, (parents) =>
      this.#groups(parents, pageStatement(list, parents, { ...whole, args, wanted, scope, most: this.#rowsLeft + 1 })),
    );
    const rows = await lists.load(parent);
    this.takeRows(rows.length);
    return rows;
  }

  /** The first row of a list below one parent, or null: for lists whose arguments leave at most one. */
  async first<Row extends { id: string }, Args>(
    list: PageList<Row, Scope, Args>,
    parent: string,
    { args, wanted }: { args: Args; wanted: Wanted },
  ): Promise<Row | null> {
    const { nodes } = await this.page(list, parent, { page: { first: 1 }, args, wanted });
    return nodes[0] ?? null;
  }

  #count<Row extends { id: string }, Args>(list: PageList<Row, Scope, Args>, parent: string, same: string, args: Args) {
    return this.#loader<number>(`count ${same}`, (parents) =>
      this.#values<number>(parents, "count", countStatement(list, parents, args, this.#scope)),
    ).load(parent);
  }

  #exists<Row extends { id: string }, Args>(
    list: PageList<Row, Scope, Args>,
    parent: string,
    same: string,
    request: { side: "after" | "before"; position: Position; args: Args },
  ) {
    const { side, position } = request;
    return this.#loader<boolean>(`exists ${same} ${side} ${position.key} ${position.id}`, (parents) =>
      this.#values<boolean>(parents, "exists", existsStatement(list, parents, { ...request, scope: this.#scope })),
    ).load(parent);
  }

  async #groups<Row extends object>(parents: readonly string[], statement: Sql): Promise<(Row & Found)[][]> {
    const groups: (Row & Found)[][] = parents.map(() => []);
    for (const row of await this.#database.query<Row & Found>(statement)) groups[row.$parent - 1]?.push(row);
    return groups;
  }

  async #values<Value>(parents: readonly string[], column: string, statement: Sql): Promise<Value[]> {
    const groups = await this.#groups<Record<string, Value>>(parents, statement);
    return groups.map(([row]) => (row as Record<string, Value>)[column] as Value); // one row for each parent
  }

  #loader<Value>(key: string, load: (keys: readonly string[]) => Promise<Value[]>): Loader<Value> {
    let loader = this.#loaders.get(key) as Loader<Value> | undefined;
    if (!loader) {
      loader = new DataLoader(load, { maxBatchSize: 10_000 });
      this.#loaders.set(key, loader);
    }
    return loader;
  }
}

/** Checks page arguments. Throws INVALID_INPUT that names the argument and the limit. */
export function readPageArguments(order: Order, { first, after, last, before }: PageArguments): PageRequest {
  if (first != null && last != null) throw new DomainError("INVALID_INPUT", "Give first or last, not both.");
  const backward = last != null || (first == null && before != null && after == null);
  const limit = first ?? last ?? pageSize.default;
  if (limit < 1 || limit > pageSize.max) {
    throw invalidInput(last == null ? "first" : "last", `must be from 1 to ${pageSize.max}, and is ${limit}.`);
  }
  return {
    limit,
    backward,
    after: after == null ? null : decodeCursor(order, after, "after"),
    before: before == null ? null : decodeCursor(order, before, "before"),
  };
}
