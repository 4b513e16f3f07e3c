// Gateways and PostgreSQL are killed under load: no acknowledged write is lost, and no subscriber has a gap. Then the
// gateways are restarted and stopped behind a load balancer without retries: no request fails. `npm run prove` does
// both repeatedly under more load.
import type pg from "pg";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { proveCrashes } from "#test/live/crashes.ts";
import { startGateways } from "#test/live/gateways.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { draining, proveRolling } from "#test/live/rolling.ts";

const postgres = await startOwnPostgres();
const gateways = await startGateways(2, postgres.url, draining);
afterAll(async () => {
  await gateways[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

test("subscribers receive every event once and in order when gateways and PostgreSQL are killed under load", async () => {
  const report = await proveCrashes(
    { postgres, gateways },
    { cycles: 1, subscribers: 4, writers: 2, writes: 4, restMs: 500, seed: 20_260_105 },
    console.log,
  );
  console.log(report);
  expect(report).toMatchObject({ lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0 });
  expect(report.returns).toBeGreaterThan(0); // something was really cut
}, 300_000);

// It stops one of the gateways: no other test may follow that needs both.
test("no request fails and no event is lost when gateways behind HAProxy are restarted and stopped", async () => {
  const report = await proveRolling(
    { postgres, gateways },
    { requests: 20, restarts: 1, subscribers: 4, people: 2, restMs: 500, seed: 1 },
    console.log,
  );
  console.log(report);
  expect(report).toMatchObject({ failed: 0, lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0, restarts: 1 });
  expect(report.requests).toBeGreaterThanOrEqual(20);
  expect(report.returns).toBeGreaterThanOrEqual(4); // every subscriber was connected to each gateway
}, 120_000);

test("delivers an event whose transaction reuses an id assigned before a crash of PostgreSQL", async () => {
  await using own = await startOwnPostgres(); // to which nobody else writes
  const { pool, url } = own;
  // With this delay rolled back transactions leave no trace on the disk.
  await pool.query("alter system set wal_writer_delay = '10s'");
  await pool.query("select pg_reload_conf()");
  const database = openDatabase({ url });
  const feed = new Feed({ database, wakeups: silentWakeups, log: pino({ level: "silent" }) });
  const received = new Promise<StoredEvent>((resolve) => feed.listen(([event]) => event && resolve(event)));
  await feed.start();
  let lastId = 0;
  for (let times = 0; times < 20; times++) lastId = await rollBack(pool);
  await feed.flush(); // the reader has seen them begin and end
  await own.crash();
  await pool.query(`insert into "OutboxEvent" (type, "subjectId") values ('test.done', 'after the crash')`);
  feed.wake();
  const { subjectId, position } = await received;
  expect(subjectId).toBe("after the crash");
  expect(position.transaction).toBeLessThanOrEqual(lastId);
  await feed.stop();
  await database.close();
}, 120_000);

/** Begins a transaction that writes, rolls it back, and returns its id. */
async function rollBack(pool: pg.Pool): Promise<number> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query(`insert into "OutboxEvent" (type, "subjectId") values ('test.done', 'never')`);
  const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  await client.query("rollback");
  client.release();
  return Number(rows[0]?.id);
}
