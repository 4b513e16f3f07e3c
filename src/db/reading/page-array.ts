// Slices: pages of a list that is in memory already, such as content by its hash, paged as all other lists are.
import { encodeCursor, type ListPosition, type Order } from "#src/db/reading/cursor.ts";
import { sql } from "#src/db/connection/database.ts";
import { Page, type PageArguments, readPageArguments } from "#src/db/reading/page.ts";

/** The order of the list itself: nothing is sorted or compared by SQL, so that its ids may be any text. */
const byPlace: Order = { name: "place", key: sql`null`, type: "int4", direction: "asc", ids: "text" };

/**
 * A page of `rows`. A cursor names a row by id and index, where the list goes on if the row was removed. INVALID_INPUT
 * for bad arguments. Reading the list counts against the row limit, this does not.
 */
export function slicePage<Row>(rows: readonly Row[], idOf: (row: Row) => string, asked: PageArguments): Page<Row> {
  const { limit, backward, after, before } = readPageArguments(byPlace, asked);
  /** How many rows are before a position, or, if `inclusive`, up to it. */
  const countTo = ({ key, id }: ListPosition, inclusive: boolean): number => {
    const place = rows.findIndex((row) => idOf(row) === id);
    if (place === -1) return Math.min(Math.max(Number(key), 0), rows.length);
    return inclusive ? place + 1 : place;
  };
  const from = after ? countTo(after, true) : 0;
  const to = Math.max(from, before ? countTo(before, false) : rows.length);
  const start = backward ? Math.max(from, to - limit) : from;
  const end = backward ? to : Math.min(to, from + limit);
  const nodes = rows.slice(start, end);
  return new Page<Row>({
    nodes,
    cursorOf: (row) => encodeCursor(byPlace, { key: start + nodes.indexOf(row), id: idOf(row) }),
    hasNextPage: () => end < rows.length,
    hasPreviousPage: () => start > 0,
    totalCount: () => rows.length,
  });
}
