// Conditions of lists in SQL: for arguments that were given, texts that are contained, and one of several values.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";

/** The condition that `make` makes of a value; null (no condition) if the value is not given. */
export function whenGiven<Value>(value: Value | null | undefined, make: (value: Value) => Sql | null): Sql | null {
  return value == null ? null : make(value);
}

/** All of these conditions joined; null without any. */
export function allOf(...conditions: readonly (Sql | null)[]): Sql | null {
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? null : joinSql(given, " and ");
}

/** Whether the value of a column is not before an instant. */
export function since(column: Sql, instant: Date): Sql {
  return sql`${column} >= ${instant.toISOString()}::timestamptz`;
}

/** Whether the value of a column is not after an instant. */
export function until(column: Sql, instant: Date): Sql {
  return sql`${column} <= ${instant.toISOString()}::timestamptz`;
}

/** Whether the value of a column contains a text anywhere, in any letter case. */
export function containsText(column: Sql, text: string): Sql {
  return sql`strpos(lower(${column}), lower(${text})) > 0`;
}

/** The form of texts in a trigram index, whatever the language of the database is. */
const threeLetters = /[a-z0-9]{3}/i;

/** Whether any column contains a text, by their two indexes in lower case: trigrams, and `text_pieces`. */
export function anyContainsTextByIndex(columns: readonly Sql[], text: string): Sql {
  const any = (condition: (column: Sql) => Sql) => sql`(${joinSql(columns.map(condition), " or ")})`;
  if (threeLetters.test(text)) {
    const pattern = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
    return any((column) => sql`lower(${column}) like '%' || lower(${pattern}) || '%'`);
  }
  // Texts of up to two characters are pieces themselves: the index is exact for them.
  const found = any((column) => sql`"text_pieces"(lower(${column})) @> "text_pieces"(lower(${text}))`);
  return text.length <= 2 ? found : sql`(${found} and ${any((column) => containsText(column, text))})`;
}

/**
 * Whether a column has one of these values, of the enum `type` or texts. A single one is compared by itself, so that an
 * index orders its rows.
 */
export function isOneOf(column: Sql, values: readonly string[], type = sql`text`): Sql {
  const [only] = values;
  return only !== undefined && values.length === 1
    ? sql`${column} = ${only}::${type}`
    : sql`${column} = any(${values}::${type}[])`;
}
