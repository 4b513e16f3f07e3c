// Rows as PostgreSQL sent them: the same values as by the pool.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase, rawSql, sql } from "#src/db/database.ts";
import { Rows } from "#src/db/wire/rows.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

let throwAway: TestDatabase;
let database: Database;
beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

test("smoke", async () => {
  const statement = sql`select x::int, 'a' || x as t, now() as n, ${["a", "b"]}::text[] as a, null as z, 1.5::float4 as f, '{"a":1}'::jsonb as j, true as b from generate_series(1, 3) x`;
  const rows = await database.rows(statement);
  if (!(rows instanceof Rows)) throw new Error("no rows");
  await expect(database.rows(sql`select 1/${0}::int`)).rejects.toThrow("zero");
  await expect(database.rows(sql`select ${"\0"}::text`)).rejects.toThrow("NUL");
  await expect(database.rows(rawSql("selec 1"))).rejects.toThrow("syntax");
  const all = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const r = await database.rows(sql`select ${i}::int as i`);
      return r instanceof Rows ? r.value(0, 0) : 0;
    }),
  );
  expect(all).toEqual(Array.from({ length: 200 }, (_, i) => i));
});
