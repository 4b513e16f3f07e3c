// Filters of lists: conditions for the arguments that were given, all of which have to hold.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";

/** The condition that `make` makes of a value; null, which is none, where the value is not given. */
export function whenGiven<Value>(value: Value | null | undefined, make: (value: Value) => Sql | null): Sql | null {
  return value == null ? null : make(value);
}

/** All of these conditions; null where there are none. */
export function allOf(...conditions: readonly (Sql | null)[]): Sql | null {
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? null : joinSql(given, " and ");
}

/** Whether the value of a column is not before an instant. */
export function since(column: Sql, instant: Date): Sql {
  return sql`${column} >= ${instant.toISOString()}::timestamptz`;
}
