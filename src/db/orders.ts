// The orders that lists share. An order has one key that is never null; rows of the same key are ordered by their ids.
import type { Order } from "#src/db/cursor.ts";
import { identifier, sql } from "#src/db/database.ts";

type Direction = Order["direction"];

/** By age: ids sort by the time at which they were made. */
export const byId = (direction: Direction = "asc"): Order => ({ name: "age", key: sql`t.id`, type: "text", direction });

/** In the order that people give to siblings: a fractional index. */
export const byPosition: Order = { name: "position", key: sql`t."position"`, type: "text", direction: "asc" };

/** By a column that holds an instant. */
export const byTime = (column: string, direction: Direction = "asc"): Order => ({
  name: column,
  key: identifier("t", column),
  type: "timestamptz",
  direction,
});

/** By a column that holds a text, byte by byte. */
export const byText = (column: string, direction: Direction = "asc"): Order => ({
  name: column,
  key: identifier("t", column),
  type: "text",
  direction,
});
