// Page lists: the definition of a list, and the three statements that read pages, counts and edges of it for many parents at once.
import type { Entity, Wanted } from "#src/db/entity.ts";
import { selectList } from "#src/db/entity.ts";
import type { Order, Position } from "#src/db/cursor.ts";
import { emptySql, rawSql, type Sql, sql } from "#src/db/database.ts";

/** A list of rows under a parent. In its SQL the row is `t` and the parent's id is `p.id`. */
export interface PageList<Row extends { id: string }, Scope, Args> {
  /** Unique name, such as `Space.changeRequests`. */
  readonly name: string;
  readonly entity: Entity<Row, Scope>;
  /** Ties the row to the parent, such as `t."spaceId" = p.id`. */
  readonly parent: Sql;
  /** Left out where the parent in hand already proves that its rows are visible; else the entity's own rule holds. */
  readonly visible: "with parent" | "by its own rule";
  order(args: Args): Order;
  /** Further conditions by the arguments. */
  where?(args: Args, scope: Scope): Sql | null;
}

/** One page of one list: the first (or, going backward, the last) `limit` rows between two positions. */
export interface PageRequest {
  readonly limit: number;
  readonly backward: boolean;
  readonly after: Position | null;
  readonly before: Position | null;
}

function conditions<Scope, Args>(list: PageList<{ id: string }, Scope, Args>, args: Args, scope: Scope): Sql {
  const visible = list.visible === "with parent" ? emptySql : sql` and ${list.entity.visible(scope)}`;
  const where = list.where?.(args, scope);
  return sql`${list.parent}${visible}${where ? sql` and ${where}` : emptySql}`;
}

/** The rows on one side of a position in the list's own order; `inclusive` takes the row at the position too. */
function beside(order: Order, side: "after" | "before", position: Position | null, inclusive = false): Sql {
  if (!position) return emptySql;
  const comparison = (order.direction === "asc") === (side === "after") ? ">" : "<";
  return sql` and (${order.key}, t.id) ${rawSql(inclusive ? `${comparison}=` : comparison)} (${position.key}::${rawSql(order.type)}, ${position.id})`;
}

/**
 * Rows of one page for every parent: `$parent` is the parent's place in `parents`, `$key` the sort key when cursors are wanted.
 * `most` cuts the rows of all parents together.
 */
export function pageStatement<Scope, Args>(
  list: PageList<{ id: string }, Scope, Args>,
  parents: readonly string[],
  request: PageRequest & { args: Args; wanted: Wanted; scope: Scope; most: number },
): Sql {
  const { args, scope, wanted, most } = request;
  const couldExceed = parents.length * (request.limit + 1) > most;
  const order = list.order(args);
  const direction = rawSql((order.direction === "asc") !== request.backward ? "asc" : "desc");
  const keyset = sql`${beside(order, "after", request.after)}${beside(order, "before", request.before)}`;
  const key = wanted.cursors ? sql`, ${order.key} as "$key"` : emptySql;
  return sql`select p.ord::int as "$parent", t.* from unnest(${parents}::text[]) with ordinality p(id, ord) cross join lateral (
    select ${selectList(list.entity, wanted, scope)}${key} from ${list.entity.table} t
    where ${conditions(list, args, scope)}${keyset}
    order by ${order.key} ${direction}, t.id ${direction} limit ${request.limit + 1}) t${couldExceed ? sql` limit ${most}` : emptySql}`;
}

/** The number of rows of the whole list for every parent. */
export function countStatement<Scope, Args>(
  list: PageList<{ id: string }, Scope, Args>,
  parents: readonly string[],
  args: Args,
  scope: Scope,
): Sql {
  return sql`select p.ord::int as "$parent", (
    select count(*) from ${list.entity.table} t where ${conditions(list, args, scope)})::int as "count"
    from unnest(${parents}::text[]) with ordinality p(id, ord)`;
}

/** Whether the list goes on at or beyond a position, for every parent: what makes hasPreviousPage and hasNextPage exact. */
export function existsStatement<Scope, Args>(
  list: PageList<{ id: string }, Scope, Args>,
  parents: readonly string[],
  request: { side: "after" | "before"; position: Position; args: Args; scope: Scope },
): Sql {
  const { args, scope, side, position } = request;
  return sql`select p.ord::int as "$parent", exists (
    select from ${list.entity.table} t
    where ${conditions(list, args, scope)}${beside(list.order(args), side, position, true)}) as "exists"
    from unnest(${parents}::text[]) with ordinality p(id, ord)`;
}
