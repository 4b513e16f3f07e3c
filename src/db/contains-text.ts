// The one way to search for a text in SQL.
import { type Sql, sql } from "#src/db/database.ts";

/** Whether the value of a column contains a text anywhere, in any letter case. */
export function containsText(column: Sql, text: string): Sql {
  return sql`strpos(lower(${column}), lower(${text})) > 0`;
}
