// A server with too few connections: gateways say so when they start, and changes get those of hot reads.
import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { warnOfFewConnections } from "#src/db/connection/connection-need.ts";
import { openDatabase, sql } from "#src/db/connection/database.ts";
import { PostgresWakeups } from "#src/events/wakeups.ts";
import { createTestDatabase } from "#test/support/test-database.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app } = await useApp();

test("hot reads give their connections back, and statements wait for those that there are", async () => {
  const throwAway = await createTestDatabase();
  const name = new URL(throwAway.url).pathname.slice(1);
  await app.database.pool.query(`create role ${name} login connection limit 5`);
  const url = Object.assign(new URL(throwAway.url), { username: name }).href;
  const database = openDatabase({ url, poolSize: 5 });
  try {
    const reads = times(12, (index) => database.rows(sql`select ${index}::int as read`));
    for (const rows of await Promise.all(reads)) if ("free" in rows) rows.free();
    const changes = times(20, (index) => database.query(sql`select pg_sleep(0.001), ${index}::int as change`));
    expect((await Promise.all(changes)).map(([row]) => row)).toMatchObject(times(20, (change) => ({ change })));
    const [requests, , hot] = database.loads();
    expect([requests?.waiting, (hot?.inUse ?? 0) + (hot?.idle ?? 0)]).toEqual([0, 1]);
  } finally {
    await database.close();
    await throwAway.drop();
    await app.database.pool.query(`drop role ${name}`);
  }
});

test("a hot read waits for a connection while other clients have all of them", async () => {
  const throwAway = await createTestDatabase();
  const name = new URL(throwAway.url).pathname.slice(1);
  await app.database.pool.query(`create role ${name} login connection limit 1`);
  const url = Object.assign(new URL(throwAway.url), { username: name }).href;
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const database = openDatabase({ url, poolSize: 5 });
  try {
    const read = database.rows(sql`select ${1}::int as read`);
    await expect.poll(() => database.pool.options.max).toBe(1); // it was refused, and makes do with what there is
    await other.end();
    const rows = await read;
    expect("free" in rows ? rows.count : rows.length).toBe(1);
    if ("free" in rows) rows.free();
  } finally {
    await database.close();
    await throwAway.drop();
    await app.database.pool.query(`drop role ${name}`);
  }
});

const direct = { url: app.databaseUrl, directUrl: app.databaseUrl };

test.each([
  ["is silent if PostgreSQL accepts enough connections", { poolSize: 1, workers: 1 }, direct, 0],
  ["warns if the connections of all workers are more", { poolSize: 90, workers: 8 }, direct, 1],
  ["is silent behind a pooler", { poolSize: 90, workers: 8 }, { ...direct, url: "postgres://pooler" }, 0],
])("the start %s", async (_what, config, source, count) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) }); // pino's form
  await warnOfFewConnections({ database: app.database, log }, config, source);
  expect(lines).toHaveLength(count);
  for (const line of lines) expect(line).toMatch(/^docgraph opens up to 800 connections .* Raise max_connections/);
});

/** What the start of a gateway with 20 connections warns of, on a database of its own whose role may have so many. */
async function warningsOf(
  { ofRole, ofDatabase = -1 }: { readonly ofRole: number; readonly ofDatabase?: number },
  beside: (url: string) => Promise<() => Promise<unknown>> = async () => async () => {},
) {
  const throwAway = await createTestDatabase();
  const name = new URL(throwAway.url).pathname.slice(1);
  await app.database.pool.query(`create role ${name} login connection limit ${ofRole}`);
  await app.database.pool.query(`alter database ${name} connection limit ${ofDatabase}`);
  const url = Object.assign(new URL(throwAway.url), { username: name }).href;
  const leave = await beside(url);
  const database = openDatabase({ url, poolSize: 10 });
  const lines: object[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as object) }); // pino's form
  try {
    await warnOfFewConnections({ database, log }, { poolSize: 10, workers: 1 }, { url, directUrl: url });
  } finally {
    await Promise.all([leave(), database.close()]);
    await throwAway.drop();
    await app.database.pool.query(`drop role ${name}`);
  }
  return lines;
}

test("the start counts the connections that other gateways may open", async () => {
  const gateways = (count: number) => async (url: string) => {
    const all = times(count, () => new PostgresWakeups({ url, log: pino({ level: "silent" }) }));
    await Promise.all(all.map((each) => new Promise<void>((resolve) => each.listen(resolve))));
    return () => Promise.all(all.map((each) => each.close()));
  };
  expect(await warningsOf({ ofRole: 40 }, gateways(1))).toEqual([]);
  const [third, ...others] = await warningsOf({ ofRole: 40 }, gateways(2));
  expect(third).toMatchObject({ needed: 20, usable: 40, others: 40, limit: expect.stringContaining("role") as string });
  expect(others).toEqual([]);
});

test("the start counts other software that has the same role", async () => {
  const psql = async (url: string) => {
    const client = new pg.Client({ connectionString: url, application_name: "psql" });
    await client.connect();
    return () => client.end();
  };
  expect(await warningsOf({ ofRole: 20 })).toEqual([]);
  expect(await warningsOf({ ofRole: 20 }, psql)).toMatchObject([{ usable: 20, others: 1 }]);
});

test("the start takes the least of the limits of the server, the role and the database", async () => {
  expect(await warningsOf({ ofRole: 19, ofDatabase: 30 })).toMatchObject([
    { usable: 19, msg: expect.stringMatching(/Raise the connection limit of the role /) as string },
  ]);
  expect(await warningsOf({ ofRole: 30, ofDatabase: 19 })).toMatchObject([
    { usable: 19, msg: expect.stringMatching(/Raise the connection limit of the database /) as string },
  ]);
});
