// Page lists: the definition of a list, and the statements for pages, counts and edges of it for many parents at once.
import { DomainError } from "#src/base/errors.ts";
import { type Entity, type Projection, derives, selectList } from "#src/db/reading/entity.ts";
import type { ListPosition, Order } from "#src/db/reading/cursor.ts";
import { emptySql, identifier, rawSql, type Sql, sql } from "#src/db/connection/database.ts";

/** Decides by columns of the parent whether the scope may see a list below it. */
export interface ListPolicy<Parent, Scope> {
  readonly columns: readonly (keyof Parent & string)[];
  admits(parent: Parent, scope: Scope): boolean;
  /** The message of FORBIDDEN for those who are not admitted. If absent, the list is empty for them. */
  readonly refusal?: string;
}

/** A condition on rows `t` of any selectivity, in two equivalent forms. */
export interface Search {
  readonly probe: Sql; // tests one row
  readonly found: Sql; // finds the rows by an index
}

/** A list of rows under a parent. In its SQL the row is `t` and the parent's id is `p.id`. */
export interface PageList<Row extends { id: string }, Scope, Args = object, Parent extends object = { id: string }> {
  readonly entity: Entity<Row, Scope>;
  /** Ties the row to the parent, such as `t."spaceId" = p.id`. */
  readonly parent: Sql;
  /** The parent's column that is `p.id` (`id` by default; null: an empty list), or an id made of the scope. */
  readonly under?: (keyof Parent & string) | ((scope: Scope) => string);
  readonly policy?: ListPolicy<Parent, Scope>;
  /** `with parent` if a visible parent proves that its rows are visible; else the entity's own rule applies. */
  readonly visible: "with parent" | "by its own rule";
  readonly order: Order | ((args: Args) => Order);
  /** The rows `t` to count, if the list has more rows than may be read of it, or another count costs less. */
  readonly counted?: Sql;
  /** SQL of the number of rows below `p.id`, if it is stored; null if those of these arguments are counted. */
  kept?(args: Args): Sql | null;
  /** Further conditions by the arguments. */
  where?(args: Args, scope: Scope): Sql | null;
  /** A further condition for lists without `keys`: the rows that a text in the arguments finds. */
  search?(args: Args): Search | null;
  /** A list of the same rows that is faster for these arguments and this scope, or null. */
  insteadFor?(args: Args, scope: Scope): PageList<Row, Scope, Args, Parent> | null;
  /** For rows under several indexed keys: selects the keys `k` below `p.id`; a page reads only its size per key. */
  readonly keys?: (scope: Scope) => Sql;
}

/** The order of a list under these arguments. */
export function orderOf<Args>(list: Pick<PageList<never, never, Args>, "order">, args: Args): Order {
  return typeof list.order === "function" ? list.order(args) : list.order;
}

/** The columns of the parent that a list reads. */
export function parentColumns({ under = "id", policy }: Pick<PageList<never, never>, "under" | "policy">): string[] {
  return [...(typeof under === "string" ? [under] : []), ...(policy?.columns ?? [])];
}

/** The key of the parent under which a list is read, or null if it is empty. Throws FORBIDDEN by its policy. */
export function parentKey<Scope, Parent extends object>(
  { under = "id" as never, policy }: Pick<PageList<never, Scope, never, Parent>, "under" | "policy">,
  parent: Parent,
  scope: Scope,
): string | null {
  if (policy && !policy.admits(parent, scope)) {
    if (policy.refusal !== undefined) throw new DomainError("FORBIDDEN", policy.refusal);
    return null;
  }
  if (typeof under === "function") return under(scope);
  const key = parent[under] as string | null | undefined; // a column that ties rows is text
  if (key === undefined) throw new Error(`The parent of a list was read without its column ${under}`);
  return key;
}

/** Values that only one row of a list has, such as `{ id }` or `{ number }`. */
export type RowKey = Readonly<Record<string, string | number>>;

/** One page of one list: the first (or, going backward, the last) `limit` rows between two positions. */
export interface PageRequest {
  readonly limit: number;
  readonly backward: boolean;
  readonly after: ListPosition | null;
  readonly before: ListPosition | null;
}

type AnyList<Scope, Args> = PageList<{ id: string }, Scope, Args, never>;

function conditions<Scope, Args>(list: AnyList<Scope, Args>, args: Args | null, scope: Scope): Sql {
  const visible = list.visible === "with parent" ? emptySql : sql` and ${list.entity.visible(scope)}`;
  const where = args === null ? null : list.where?.(args, scope);
  return sql`${list.parent}${visible}${where ? sql` and ${where}` : emptySql}`;
}

/** How many rows are tested one by one, in the order of the list, before an index is used for the search. */
const searchWindow = 5_000;

/** The first rows beside a position, as SQL from FROM to LIMIT. A search probes near rows first, then an index. */
function firstRows<Scope, Args>(
  list: AnyList<Scope, Args>,
  of: { args: Args; scope: Scope; beside: Sql; direction: Sql; limit: number },
): Sql {
  const { args, scope, direction, limit } = of;
  const { key, isUnique = false } = orderOf(list, args);
  const thenById = isUnique ? emptySql : sql`, t.id ${direction}`;
  const first = (count: number) => sql`order by ${key} ${direction}${thenById} limit ${count}`;
  const rows = sql`from ${list.entity.table} t where ${conditions(list, args, scope)}${of.beside}`;
  const search = list.search?.(args);
  if (!search) return sql`${rows} ${first(limit)}`;
  return sql`from (with near as materialized (select t.* ${rows} ${first(searchWindow)}),
      hits as materialized (select t.* from near t where ${search.probe} ${first(limit)}),
      probed as materialized (select (select count(*) from hits) >= ${limit} or (select count(*) from near) < ${searchWindow} as "isAll")
    select t.* from hits t where (select "isAll" from probed)
    union all
    select t.* from (select t.* ${rows} and ${search.found} offset 0) t where not (select "isAll" from probed)) t ${first(limit)}`;
}

/** The rows on one side of a position in the list's own order; `inclusive` takes the row at the position too. */
function beside(order: Order, side: "after" | "before", position: ListPosition | null, inclusive = false): Sql {
  if (!position) return emptySql;
  const comparison = (order.direction === "asc") === (side === "after") ? ">" : "<";
  return sql` and (${order.key}, t.id) ${rawSql(inclusive ? `${comparison}=` : comparison)} (${position.key}::${rawSql(order.type)}, ${position.id})`;
}

/** What is selected by `inner`, for each key if the list has keys. */
function perKey<Scope, Args>({ keys }: AnyList<Scope, Args>, scope: Scope, inner: Sql): Sql {
  return keys ? sql`select t.* from (${keys(scope)}) k cross join lateral (${inner}) t` : inner;
}

/**
 * The rows of a page for every parent: `$parent` is its index from 1, `$key` the sort key if cursors are selected.
 * `most` limits the rows of all parents. One extra row shows that the list goes on, unless `exactly`.
 */
export function pageStatement<Scope, Args>(
  list: AnyList<Scope, Args>,
  parents: readonly string[],
  request: PageRequest & { args: Args; projection: Projection; scope: Scope; most: number; exactly?: boolean },
): Sql {
  const { args, scope, projection, most } = request;
  const limit = request.exactly ? request.limit : request.limit + 1;
  const couldExceed = parents.length * limit > most;
  const order = orderOf(list, args);
  const direction = rawSql((order.direction === "asc") !== request.backward ? "asc" : "desc");
  const keyset = sql`${beside(order, "after", request.after)}${beside(order, "before", request.before)}`;
  const key = projection.cursors || list.keys ? sql`, ${order.key} as "$key"` : emptySql;
  const inOrder = firstRows(list, { args, scope, beside: keyset, direction, limit });
  // Derived columns are computed for the rows of the page alone: their cost must not affect the choice of an index.
  const from = derives(list.entity, projection) && !list.keys ? sql`from (select t.* ${inOrder}) t` : inOrder;
  const rows = sql`select ${selectList(list.entity, projection, scope)}${key} ${from}`;
  const merged = sql`${perKey(list, scope, rows)} order by t."$key" ${direction}, t.id ${direction} limit ${limit}`;
  return sql`select p.ord::int as "$parent", t.* from unnest(${parents}::text[]) with ordinality p(id, ord) cross join lateral (
    ${list.keys ? merged : rows}) t${couldExceed ? sql` limit ${most}` : emptySql}`;
}

/** The row of the list with these values, for every parent, even if the list's arguments exclude it. */
export function pickStatement<Scope>(
  list: AnyList<Scope, never>,
  parents: readonly string[],
  request: { key: RowKey; projection: Projection; scope: Scope },
): Sql {
  const { key, projection, scope } = request;
  const equal = Object.entries(key).map(([column, value]) => sql` and ${identifier("t", column)} = ${value}`);
  const same = equal.reduce((all, one) => sql`${all}${one}`, emptySql);
  return sql`select p.ord::int as "$parent", t.* from unnest(${parents}::text[]) with ordinality p(id, ord) cross join lateral (
    select ${selectList(list.entity, projection, scope)} from ${list.entity.table} t
    where ${conditions(list, null, scope)}${same} limit 1) t`;
}

/** The number of rows of the whole list for every parent. */
export function countStatement<Scope, Args>(
  list: AnyList<Scope, Args>,
  parents: readonly string[],
  args: Args,
  scope: Scope,
): Sql {
  const count = list.kept?.(args) ?? counting(list, args, scope);
  return sql`select p.ord::int as "$parent", (${count})::int as "count"
    from unnest(${parents}::text[]) with ordinality p(id, ord)`;
}

function counting<Scope, Args>(list: AnyList<Scope, Args>, args: Args, scope: Scope): Sql {
  const table = list.counted ?? list.entity.table;
  const search = list.search?.(args);
  const where = sql`${conditions(list, args, scope)}${search ? sql` and ${search.found}` : emptySql}`;
  if (!list.keys) return sql`select count(*) from ${table} t where ${where}`;
  return sql`select count(*) from (${perKey(list, scope, sql`select t.id from ${table} t where ${where}`)}) t`;
}

/** Whether the list continues at or beyond a position, for every parent: for exact hasPreviousPage and hasNextPage. */
export function existsStatement<Scope, Args>(
  list: AnyList<Scope, Args>,
  parents: readonly string[],
  request: { side: "after" | "before"; position: ListPosition; args: Args; scope: Scope },
): Sql {
  const { args, scope, side, position } = request;
  const order = orderOf(list, args);
  const there = beside(order, side, position, true);
  const direction = rawSql((order.direction === "asc") === (side === "after") ? "asc" : "desc");
  const rows = list.search?.(args)
    ? sql`select ${firstRows(list, { args, scope, beside: there, direction, limit: 1 })}`
    : sql`select ${list.keys ? sql`t.id` : emptySql} from ${list.entity.table} t where ${conditions(list, args, scope)}${there}`;
  return sql`select p.ord::int as "$parent", exists (${perKey(list, scope, rows)}) as "exists"
    from unnest(${parents}::text[]) with ordinality p(id, ord)`;
}
