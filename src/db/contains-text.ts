// The one way to search for a text in SQL, and the same by an index.
import { type Sql, sql } from "#src/db/database.ts";

/** Whether the value of a column contains a text anywhere, in any letter case. */
export function containsText(column: Sql, text: string): Sql {
  return sql`strpos(lower(${column}), lower(${text})) > 0`;
}

/** How many letters in a row an index of trigrams knows texts by. */
const indexedLength = 3;

/** The same for a column whose value in lower case has an index of trigrams. Shorter texts are in no index. */
export function containsTextByIndex(column: Sql, text: string): Sql {
  if (text.length < indexedLength) return containsText(column, text);
  const pattern = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql`lower(${column}) like '%' || lower(${pattern}) || '%'`;
}
