// Rows read from PostgreSQL's wire format: the same values as with the pool.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, rawSql, sql } from "#src/db/connection/database.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { expectSame, failureOf, objectsOf, rowsOf } from "#test/support/wire-rows.ts";
import { sized } from "#test/support/runs.ts";

let throwAway: TestDatabase;
let database: Database;
beforeAll(async () => {
  throwAway = await createTestDatabase({ empty: true });
  database = openDatabase({ url: throwAway.url });
  await database.pool.query("create type mood as enum ('sad', 'so so', 'happy 😀')");
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

const storable = (text: string) => text.replaceAll("\0", "0").toWellFormed();
const text = fc.string({ unit: "binary" }).map(storable);
const int4 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const double = fc.double();
const instant = fc.oneof(
  fc.constantFrom("0001-01-01", "9999-12-31 23:59:59.999", "10000-01-01", "294276-12-31 23:59:59.999999"),
  fc.constantFrom("4713-01-01 00:00:01 BC", "0001-12-31 BC", "infinity", "-infinity", "1999-12-31 23:59:59.9999"),
  fc.bigInt({ min: -210_000_000_000_000_000n, max: 9_223_371_331_199_999_999n }).map((micros) => `micros ${micros}`),
  fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString()),
);
const json = fc.jsonValue().map((value) => storable(JSON.stringify(value)).replaceAll("\\u0000", "0"));
const listOf = (item: fc.Arbitrary<unknown>) => {
  const items = fc.array(fc.option(item, { freq: 5 }), { maxLength: 6 });
  const table = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .chain(([height, width]) =>
      fc.array(fc.array(item, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
    );
  return fc.oneof(items, table);
};

/** Values of parameters cast to a type, for every type that is read in binary and many others. */
const types: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  varchar: text,
  "char(5)": fc.constantFrom("", "a", "abcde"),
  name: fc.constantFrom("", "a name"),
  mood: fc.constantFrom("sad", "so so", "happy 😀"),
  bool: fc.boolean(),
  int2: fc.integer({ min: -32_768, max: 32_767 }),
  int4,
  int8: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  float4: fc.float(),
  float8: double,
  numeric: fc.oneof(double.filter(Number.isFinite), fc.constantFrom("123456789012345678901234567890.5", "NaN")),
  json,
  jsonb: json,
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  uuid: fc.uuid(),
  date: fc.constantFrom("0001-01-01", "2026-02-28", "9999-12-31", "0044-03-15 BC", "infinity"),
  timestamp: fc.constantFrom("0001-01-01", "2026-02-28 12:30:00.123456", "0044-03-15 BC"),
  interval: fc.constantFrom("1 year 2 days", "-3.5 seconds"),
  inet: fc.constantFrom("192.0.2.1/24", "2001:db8::1"),
  "text[]": listOf(text),
  "varchar[]": listOf(text),
  "mood[]": listOf(fc.constantFrom("sad", "so so")),
  "int4[]": listOf(int4),
  "int8[]": listOf(fc.maxSafeInteger()),
  "float8[]": listOf(double),
  "bool[]": listOf(fc.boolean()),
  "jsonb[]": fc.constantFrom([], ["1", '{"a": [null]}']),
  "bytea[]": fc.constantFrom([], [Buffer.from([0, 255, 92])]),
};

describe("values of wire rows", () => {
  test.each(Object.entries(types))("of %s are the same as with the pool", async (type, values) => {
    const select = (value: unknown) => sql`select ${value}::${rawSql(type)} as value, ${1}::int as behind`;
    await expectSame(database, select(null));
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 20 }), async (all) =>
        expectSame(database, ...all.map(select)),
      ),
      { numRuns: 20 },
    );
  });

  test("of timestamptz equal those of the pool in any year", async () => {
    const select = (value: string) =>
      value.startsWith("micros")
        ? sql`select timestamptz '2000-01-01' + ${value.slice(7)}::int8 / 86400000000 * interval '1 day' + ${value.slice(7)}::int8 % 86400000000 * interval '1 us' as at`
        : sql`select ${value}::timestamptz as at`;
    await fc.assert(
      fc.asyncProperty(fc.array(instant, { minLength: 1, maxLength: 20 }), async (all) =>
        expectSame(database, ...all.map(select)),
      ),
      { numRuns: 50 },
    );
  });

  test("of parameters mean the same as with the pool", async () => {
    const date = new Date("2026-01-31T09:30:00.500Z");
    const frozen = Object.freeze(["a", 'b "quoted" \\', "NULL", ""]);
    const changing = ["a"];
    const select = () =>
      sql`select ${date}::timestamptz as date, ${frozen}::text[] as frozen, ${changing}::text[] as changing, ${{ a: [1] }}::jsonb as object, ${undefined}::text as nothing, ${new Uint8Array([1, 0, 2])}::bytea as bytes, ${12.5}::numeric as number, ${10n ** 15n}::int8 as big, ${true}::bool as yes`;
    await expectSame(database, select());
    changing.push("b");
    await expectSame(database, select(), select());
  });

  test("that cannot be encoded throw without affecting the connection", async () => {
    const bad = {
      toPostgres: () => {
        throw new Error("not this one");
      },
    };
    const [failure, rows] = await Promise.all([
      failureOf(database.rows(sql`select ${1}::int, ${bad}::text`)),
      rowsOf(database, sql`select 1 as one`),
    ]);
    expect(failure).toEqual(new Error("not this one"));
    expect(objectsOf(rows)).toEqual([{ one: 1 }]);
  });
});

describe("results of wire statements", () => {
  test.each([
    ["without rows", sql`select 1 as one where false`],
    ["without columns", sql`select from generate_series(1, 3)`],
    ["without any result", sql`set application_name = 'another'`],
    ["of two columns of a name", sql`select 1 as one, 2 as one`],
    [
      "wide",
      rawSql(`select ${Array.from({ length: 1600 }, (_, i) => `${i} as c${i}`).join()} from generate_series(1, 3)`),
    ],
    [
      "with huge values",
      rawSql(
        `select repeat('äb', 700000) as huge, n, repeat('x', 100000) as large from generate_series(1, ${sized(2, 5)}) n`,
      ),
    ],
    [
      "with a notice and a setting on the way",
      sql`select set_config('application_name', 'n' || n, false) as name from generate_series(1, 3) n`,
    ],
    ["with an empty text", rawSql("")],
  ])("%s", async (_, statement) => {
    await expectSame(database, statement);
    await expectSame(database, statement, statement);
  });

  test("have the same columns for each run, found by name", async () => {
    const statement = sql`select ${1}::int as a, ${"x"}::text as b, 'sad'::mood as c`;
    const [one, two] = [await rowsOf(database, statement), await rowsOf(database, statement)];
    expect(two.columns).toBe(one.columns);
    expect(one.columns.map(({ name, isBinary }) => [name, isBinary])).toEqual([
      ["a", true],
      ["b", true],
      ["c", false],
    ]);
    expect([one.place("a"), one.place("c")]).toEqual([0, 2]);
    expect(() => one.place("d")).toThrow('The column "d" does not exist');
    expect(() => one.value(0, 3)).toThrow("No value");
    expect(() => one.value(1, 0)).toThrow("No value");
  });

  test("are unaffected by other results and empty after they are freed", async () => {
    const select = (n: number) =>
      rowsOf(database, sql`select n, repeat('x', n) as x from generate_series(1, ${n}::int) n`);
    const kept = await select(100);
    const before = objectsOf(kept);
    for (let n = 1; n < 200; n++) {
      const rows = await select(n);
      rows.free();
      rows.free();
      expect(() => rows.value(0, 0)).toThrow("No value");
    }
    expect(objectsOf(kept)).toEqual(before);
  });

  test("of 200 concurrent statements are not mixed up, also with failing ones", async () => {
    const all = Array.from({ length: 200 }, (_, i) => i);
    const answers = await Promise.all(
      all.map(async (i) =>
        i % 7 === 0
          ? failureOf(rowsOf(database, sql`select 1 / ${0}::int`))
          : objectsOf(await rowsOf(database, sql`select ${i}::int as i, repeat('x', ${i * 50}) as x`)),
      ),
    );
    for (const i of all)
      expect(answers[i]).toEqual(
        i % 7 === 0 ? expect.objectContaining({ code: "22012" }) : [{ i, x: "x".repeat(i * 50) }],
      );
    const sessions = async () => {
      const { rows } = await database.pool.query<{ count: number }>(
        "select count(*)::int from pg_stat_activity where datname = current_database()",
      );
      return rows[0]?.count;
    };
    await expect.poll(sessions).toBeLessThanOrEqual(4 + database.pool.totalCount); // sessions end a moment later
  });
});
