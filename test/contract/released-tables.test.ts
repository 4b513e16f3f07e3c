// The previous release runs on the database migrated by this one, since gateways are updated one after the other. The
// schema it relies on is in `released-tables.json`, which `npm run release` writes.
import { readFile, writeFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { breaksOf, type Facts, readFacts } from "#test/contract/released-tables.ts";
import { createTestDatabase } from "#test/support/test-database.ts";

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

const file = new URL("released-tables.json", import.meta.url);
const now = await readFacts(client);
if (process.env["RELEASE"]) {
  await writeFile(file, `${JSON.stringify(now, null, 2)}\n`);
  process.stdout.write("The tables are recorded in test/contract/released-tables.json.\n");
}
const released = JSON.parse(await readFile(file, "utf8")) as Facts; // as it is written above

test("the database has everything the previous release relies on and accepts its writes", () => {
  expect(Object.keys(released).length).toBeGreaterThan(500);
  expect(breaksOf(released, now)).toEqual([]);
});

test.each([
  ['alter table "Comment" drop column "postedById" cascade', "column Comment.postedById was removed"],
  ['alter table "Comment" rename to "Remark"', "column Comment.id was removed"],
  ['alter table "Space" add column must text not null', "column Space.must is new and required"],
  [
    'alter table "Space" alter column title type varchar(10)',
    "column Space.title was text not null, and is character varying(10) not null",
  ],
  ['alter table "User" alter column "photoURL" set not null', "column User.photoURL was text, and is text not null"],
  ['alter table "OutboxEvent" alter column "createdAt" drop default', "column OutboxEvent.createdAt was "],
  ['alter table "Space" add check (length(title) < 10)', "rule Space: CHECK ((length(title) < 10)) is new"],
  ['create unique index on "Space" (title)', "rule Space: unique btree (title) is new"],
])("%s would break the previous release", async (statement, expected) => {
  await client.query("begin");
  await client.query(statement);
  const breaks = breaksOf(now, await readFacts(client));
  await client.query("rollback");
  expect(breaks.filter((line) => line.startsWith(expected))).toHaveLength(1);
});

test("additions to the schema do not break the previous release", async () => {
  await client.query("begin");
  await client.query(`alter table "Space" add column may text, add column has text not null default ''`);
  await client.query(`create table "New" (id text primary key, must text not null check (must <> ''))`);
  await client.query(`alter table "Space" alter column title drop not null`);
  await client.query(`create unique index on "Space" (id, title)`);
  const breaks = breaksOf(now, await readFacts(client));
  await client.query("rollback");
  expect(breaks).toEqual([]);
});
