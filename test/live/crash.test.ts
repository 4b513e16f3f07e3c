// Kills gateways and PostgreSQL under load: no acknowledged write is lost, and no subscriber has a gap. `npm run prove`
// kills more often.
import type pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openDatabase } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { proveCrashes } from "#test/live/crashes.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";

test("subscribers receive every event once and in order when gateways and PostgreSQL are killed under load", async () => {
  const report = await proveCrashes(
    { cycles: 1, subscribers: 4, writers: 2, writes: 4, seed: 20_260_105 },
    console.log,
  );
  console.log(report);
  expect(report).toMatchObject({ lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0 });
  expect(report.returns).toBeGreaterThan(0); // something was really cut
}, 300_000);

test("delivers an event whose transaction reuses an id assigned before a crash of PostgreSQL", async () => {
  await using postgres = await startOwnPostgres();
  const { pool, url } = postgres;
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
  await postgres.crash();
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
