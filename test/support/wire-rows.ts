// Helpers for tests of wire rows.
import { expect } from "vitest";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";

/** The rows of a statement. Throws if they were read by the pool. */
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

/** Expects the same rows as from the pool, for any number of concurrent statements. */
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
