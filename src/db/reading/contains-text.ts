// The one way to search for a text in SQL, and the same by an index.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";

/** Whether the value of a column contains a text anywhere, in any letter case. */
export function containsText(column: Sql, text: string): Sql {
  return sql`strpos(lower(${column}), lower(${text})) > 0`;
}

/** What an index of trigrams knows texts by, whatever the language of the database is. */
const threeLetters = /[a-z0-9]{3}/i;

/**
 * Whether any of these columns does, where their values in lower case have two indexes: of trigrams, and of what
 * `text_pieces` makes of them.
 */
export function anyContainsTextByIndex(columns: readonly Sql[], text: string): Sql {
  const any = (condition: (column: Sql) => Sql) => sql`(${joinSql(columns.map(condition), " or ")})`;
  if (threeLetters.test(text)) {
    const pattern = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
    return any((column) => sql`lower(${column}) like '%' || lower(${pattern}) || '%'`);
  }
  // Two signs at most are a piece themselves: what the index finds need not be looked at.
  const found = any((column) => sql`"text_pieces"(lower(${column})) @> "text_pieces"(lower(${text}))`);
  return text.length <= 2 ? found : sql`(${found} and ${any((column) => containsText(column, text))})`;
}
