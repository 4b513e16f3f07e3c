// Cursors: opaque texts with the order, the sort key and the id of a row, checked when a client sends them.
import { invalidInput } from "#src/base/errors.ts";
import { kindOfId, kindOfNode } from "#src/base/ids.ts";
import { isStorable } from "#src/base/text/forms.ts";
import type { Sql } from "#src/db/connection/database.ts";

/** An order of a list: one key that is never null, then the id in the same direction. */
export interface Order {
  /** Name in the cursor, so that a cursor of another order is rejected. */
  readonly name: string;
  readonly key: Sql;
  readonly type: "timestamptz" | "int4" | "text";
  readonly direction: "asc" | "desc";
  /** Whether the rows below one parent have different keys: then PostgreSQL need not sort them by their ids, too. */
  readonly isUnique?: boolean;
  /** The form of the ids of its rows: those of a kind of row, or `text` for any storable text. */
  readonly ids?: "text";
}

/** The position of a row in a list: its sort key and its id (keyset pagination). */
export interface ListPosition {
  readonly key: string | number;
  readonly id: string;
}

const keyIsValid: Record<Order["type"], (key: unknown) => boolean> = {
  timestamptz: (key) =>
    typeof key === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(key) && !Number.isNaN(Date.parse(key)),
  int4: (key) => typeof key === "number" && Number.isInteger(key) && Math.abs(key) < 2 ** 31,
  text: (key) => typeof key === "string" && key.length <= 1000 && isStorable(key),
};

/** The longest id of an order by `text`; a hash has 64 characters. */
const longestId = 200;

const idIsValid = (order: Order, id: unknown): id is string =>
  typeof id === "string" &&
  (order.ids === "text" ? id.length <= longestId && isStorable(id) : (kindOfId(id) ?? kindOfNode(id)) !== null);

/** The cursor of a row at `position` in a list of this order. */
export function encodeCursor(order: Order, position: ListPosition): string {
  return Buffer.from(JSON.stringify([order.name, order.direction, position.key, position.id])).toString("base64url");
}

/** Reads a cursor of this order back. Throws INVALID_INPUT naming `argument` for anything else. */
export function decodeCursor(order: Order, cursor: string, argument: string): ListPosition {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(value) && value.length === 4) {
      const [name, direction, key, id] = value as unknown[];
      const known = name === order.name && direction === order.direction && keyIsValid[order.type](key);
      if (known && idIsValid(order, id)) return { key: key as string | number, id };
    }
  } catch {
    // not base64url or not JSON: rejected below like any other invalid cursor
  }
  throw invalidInput(argument, "must be a cursor of this list in this order; take it from `pageInfo` or from an edge.");
}
