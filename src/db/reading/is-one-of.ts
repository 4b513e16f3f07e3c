// The one way to compare a column with several values in SQL.
import { type Sql, sql } from "#src/db/connection/database.ts";

/** Whether a column has one of these values. A single one is compared by itself, so that an index orders its rows. */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  const [only] = values;
  return only !== undefined && values.length === 1 ? sql`${column} = ${only}` : sql`${column} = any(${values}::text[])`;
}
