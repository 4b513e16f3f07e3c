// The orders that lists share. An order has one key that is never null; rows of the same key are ordered by their ids.
import type { Order } from "#src/db/reading/cursor.ts";
import { identifier, sql } from "#src/db/connection/database.ts";

type Direction = Order["direction"];

/** By age: ids sort by the time at which they were made. */
export const byId = (direction: Direction = "asc"): Order => ({ name: "age", key: sql`t.id`, type: "text", direction });

/** In the order that people set for siblings: a fractional index. */
export const byPosition: Order = { name: "position", key: sql`t."position"`, type: "text", direction: "asc" };

/** By a number that is given once below a parent, the last one first. */
export const byNumber: Order = {
  name: "number",
  key: sql`t."number"`,
  type: "int4",
  direction: "desc",
  isUnique: true,
};

const byColumn =
  (type: Order["type"]) =>
  (column: string, direction: Direction = "asc"): Order => ({
    name: column,
    key: identifier("t", column),
    type,
    direction,
  });

/** By a column of instants. */
export const byTime = byColumn("timestamptz");

/** By a column of texts, byte by byte. */
export const byText = byColumn("text");

/** By a title or name in any letter case, byte by byte; its index is on `(lower("title") COLLATE "C")`. */
export const byName = (column: string): Order => ({
  name: `${column} in any letter case`,
  key: sql`lower(${identifier("t", column)}) collate "C"`,
  type: "text",
  direction: "asc",
});

/** The requested order: one of the fields that a list can be sorted by, and a direction. */
export interface OrderBy<Field extends string> {
  readonly field: Field;
  readonly direction: Direction;
}

/** The argument of a list that can be sorted in several ways. */
export interface Ordered<Field extends string> {
  readonly orderBy?: OrderBy<Field> | null | undefined;
}

/** The order of a list under its arguments: by the field of `orderBy`, in its direction, else the default one. */
export function orderedBy<Field extends string, Args extends Ordered<Field>>(
  fields: Readonly<Record<Field, Order>>,
  usual: Order | ((args: Args) => Order),
): (args: Args) => Order {
  return (args) => {
    if (args.orderBy) return { ...fields[args.orderBy.field], direction: args.orderBy.direction };
    return typeof usual === "function" ? usual(args) : usual;
  };
}
