// What tests of rows from the wire share: a database, and the rows as objects.
import { expect } from "vitest";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";

/** The rows of a statement. Throws when they came by the pool. */
export async function rowsOf(database: Database, statement: Sql): Promise<Rows> {
  const rows = await database.rows(statement);
  if (!(rows instanceof Rows)) throw new Error("The rows came by the pool.");
  return rows;
}

export function objectsOf(rows: Rows): object[] {
  return Array.from({ length: rows.count }, (_, row) =>
    Object.fromEntries(rows.columns.map(({ name }, column) => [name, rows.value(row, column)])),
  );
}

/** Expects the rows that the pool gives, of any number of statements at a time. */
export async function expectSame(database: Database, ...statements: Sql[]): Promise<void> {
  const found = await Promise.all(statements.map((statement) => rowsOf(database, statement)));
  for (const [index, rows] of found.entries()) {
    expect(objectsOf(rows)).toEqual(await database.query(statements[index] ?? sql``));
    rows.free();
  }
}

export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no error",
    (error: unknown) => error,
  );
