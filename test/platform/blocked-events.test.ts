// An open transaction that delays events is reported: once in the log, and by /readyz.
import { pino } from "pino";
import { expect, test } from "vitest";
import { takeWriterLock } from "#src/db/connection/writer-lock.ts";
import { post } from "#test/live/requests.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

// On its own database: /readyz reports on the whole database.
const { app, world } = await useApp({ own: true });
const { editor, space } = await world.space();

test("reports an open transaction of docgraph that blocks events until it ends, in the log and in /readyz", async () => {
  const lines: { msg: string; heldBy?: object }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }); // pino's form
  await using other = await testApp({ beside: app, log, pollMs: 20, heldMs: 200 });
  const ready = async () => {
    const answer = await fetch(`${other.url}/readyz`);
    return [answer.status, await answer.json()];
  };
  await using older = await lockHolder(app.databaseUrl);
  await older.hold("set application_name = 'psql'", "select pg_current_xact_id()");
  const client = await app.database.pool.connect();
  const { rows } = await client.query<{ pid: number; database: string }>(
    "select pg_backend_pid() as pid, current_database() as database",
  );
  await client.query("begin");
  await client.query(`${takeWriterLock}; select pg_current_xact_id()`);
  await post(app, editor.token, space.id);
  const heldBy = { ...rows[0], application: "docgraph", state: "idle in transaction", openSince: expect.any(String) };
  const held = [200, { status: "ok", feed: { lagSeconds: expect.any(Number), heldBy } }];
  await expect.poll(ready, { timeout: 10_000 }).toEqual(held);
  const before = lines.length;
  await older.hold("set application_name = ''"); // counts from now on, as a transaction that ends during a poll
  await post(app, editor.token, space.id);
  expect(await ready()).toEqual(held);
  const told = lines.filter(({ msg }) => msg === "events wait for an open transaction");
  expect(told).toMatchObject([{ level: 40, heldBy }]);
  expect(lines.slice(before).filter(({ msg }) => msg.startsWith("events"))).toEqual([]);
  await older.release();
  await client.query("commit");
  client.release();
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, { status: "ok" }]);
});
