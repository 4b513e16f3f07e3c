// Faults of the database: unavailable, locked, frozen, read-only, out of connections, with an open transaction.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { databaseUrl } from "#src/db/embedded/start.ts";
import { type Outcome, othersThan, type Scene, setScene } from "#test/live/faults/scene.ts";
import type { Figures } from "#test/live/faults/traffic.ts";

/** The allowed error codes of a temporary fault. */
const passing = ["UNAVAILABLE", "TIMEOUT", "503"];

/** The allowed error codes of requests to blocked tables, which may also reach the limit of concurrent operations. */
const working = ["comments", "writes"];

/** Requests that failed with another error. */
const otherFailures = (figures: Readonly<Record<string, Figures>>): number =>
  Object.entries(figures).reduce((sum, [name, one]) => {
    const expected = working.includes(name) ? [...passing, "RATE_LIMITED"] : passing;
    return sum + othersThan(expected, { [name]: one });
  }, 0);

/** The server restarts, as for an update. */
export async function restartDatabase(): Promise<Outcome> {
  await using scene = await setScene();
  const figures = await scene.during(async () => {
    await wait(2_000);
    await scene.postgres.restart();
    await wait(3_000);
  });
  return await scene.judge(figures, othersThan(passing, figures) === 0);
}

/** Connections are refused for a while. */
export async function refuseConnections(): Promise<Outcome> {
  await using scene = await setScene();
  let backAfterMs = 0;
  const figures = await scene.during(async () => {
    await wait(1_000);
    scene.proxy.disconnect();
    await wait(20_000);
    scene.proxy.reconnect();
    backAfterMs = await untilReady(scene);
  });
  const lines = scene.output().split("\n").length;
  const more = `ready again after ${backAfterMs} ms; ${lines} lines in the log`;
  return await scene.judge(figures, othersThan(passing, figures) === 0 && lines < 200, more);
}

/** All sessions are terminated twice a second. */
export async function endSessions(): Promise<Outcome> {
  await using scene = await setScene();
  const figures = await scene.during(async () => {
    for (let time = 0; time < 20; time++) {
      await scene.postgres.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      await wait(500);
    }
  });
  return await scene.judge(figures, othersThan(passing, figures) === 0);
}

/** A table is locked: requests to others succeed, and so do tokens, health checks and events. */
export async function lockTable(): Promise<Outcome> {
  await using scene = await setScene();
  const figures = await scene.during(() =>
    holding(scene.postgres.url, [`lock table "Comment"`], async () => wait(20_000)),
  );
  const { reads, rest, health } = figures;
  // Statements queued behind a waiting one before it was detected take as long as the lock timeout.
  const isServed = [reads, rest, health].every(({ sent, good, p95 }) => sent === good && p95 < 500);
  const holds = isServed && health.most < 2_000 && otherFailures(figures) === 0;
  return await scene.judge(figures, holds);
}

/** The last use of tokens cannot be written. */
export async function lockTokens(): Promise<Outcome> {
  await using scene = await setScene();
  const figures = await scene.during(() =>
    holding(scene.postgres.url, [`lock table "ApiToken" in share mode`], async () => wait(15_000)),
  );
  return await scene.judge(figures, Object.values(figures).every(isUnhurt));
}

/** The database is read-only. */
export async function onlyRead(): Promise<Outcome> {
  await using scene = await setScene();
  const { pool } = scene.postgres;
  const set = async (value: "on" | "off") => {
    await pool.query(`alter system set default_transaction_read_only = ${value}`);
    await pool.query("select pg_reload_conf()");
  };
  const { writes, ...figures } = await scene.during(async () => {
    await set("on");
    await wait(15_000);
    const client = new pg.Client({ connectionString: scene.postgres.url });
    await client.connect();
    await client.query("set default_transaction_read_only = off");
    await client.query("alter system set default_transaction_read_only = off");
    await client.query("select pg_reload_conf()");
    await client.end();
    await untilWritable(scene);
  });
  const holds = Object.values(figures).every(isUnhurt) && othersThan(["UNAVAILABLE"], { writes }) === 0;
  return await scene.judge({ ...figures, writes }, holds);
}

/** Foreign transactions stay open: in this database, in another one, and prepared. */
export async function openTransactions(): Promise<Outcome> {
  await using scene = await setScene();
  const write = "create temporary table mine (id int); select pg_current_xact_id()";
  const elsewhere = databaseUrl(scene.postgres.url, "postgres");
  let toldMs = Infinity;
  const figures = await scene.during(() =>
    holding(scene.postgres.url, [write], () =>
      holding(elsewhere, [write], async () => {
        await wait(2_000);
        toldMs = await untilAllHear(scene);
        await wait(8_000);
      }),
    ),
  );
  const holds = Object.values(figures).every(isUnhurt) && toldMs < 1_000;
  return await scene.judge(figures, holds, `events delivered after ${toldMs} ms meanwhile`);
}

/** Other clients use nearly all connections of the server. */
export async function takeConnections(): Promise<Outcome> {
  await using scene = await setScene();
  const { rows } = await scene.postgres.pool.query<{ most: number }>(
    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most",
  );
  const sleepers: pg.Client[] = [];
  const figures = await scene.during(async () => {
    for (let taken = 0; taken < (rows[0]?.most ?? 0); taken++) {
      const client = new pg.Client({ connectionString: scene.postgres.url });
      client.on("error", () => {});
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      );
      if (!isConnected) break;
      sleepers.push(client);
      client.query("select pg_sleep(60)").catch(() => {});
    }
    await wait(10_000);
    await scene.postgres.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)'",
    );
    await wait(1_000);
  });
  return await scene.judge(figures, othersThan(passing, figures) === 0, `${sleepers.length} connections of others`);
}

/** The processes of the server are paused and resumed. */
export async function freeze(): Promise<Outcome> {
  await using scene = await setScene();
  let backAfterMs = 0;
  const figures = await scene.during(async () => {
    await wait(1_000);
    const { rows } = await scene.postgres.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    const pids = [scene.postgres.pid, ...rows.map(({ pid }) => pid)];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    await wait(25_000);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    backAfterMs = await untilReady(scene);
    await wait(2_000);
  });
  const isBounded = Object.values(figures).every(({ most }) => most < 20_000) && figures.health.most < 3_000;
  const holds = isBounded && otherFailures(figures) === 0;
  return await scene.judge(figures, holds, `ready again after ${backAfterMs} ms`);
}

const isUnhurt = ({ sent, good, most }: Figures): boolean => good === sent && most < 2_000;

/** Runs statements in a transaction that stays open while `work` is done. */
async function holding(url: string, statements: readonly string[], work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "somebody" });
  await client.connect();
  try {
    await client.query("begin");
    for (const statement of statements) await client.query(statement);
    await work();
    await client.query("rollback");
  } finally {
    await client.end();
  }
}

/** Milliseconds until the gateway reports that it is ready. */
async function untilReady({ url }: Scene): Promise<number> {
  const begun = performance.now();
  while ((await fetch(`${url}/readyz`)).status !== 200) await wait(20);
  return Math.round(performance.now() - begun);
}

async function untilWritable({ postgres }: Scene): Promise<void> {
  const readOnly = async () => {
    const { rows } = await postgres.pool.query<{ on: string }>("show default_transaction_read_only");
    return Object.values(rows[0] ?? {})[0] === "on";
  };
  while (await readOnly()) await wait(20);
}

/** Milliseconds until all subscribers have received an event that is written now. */
async function untilAllHear({ group }: Scene): Promise<number> {
  const begun = performance.now();
  const before = group.subscribers.map(({ received }) => received.length);
  const heardMore = () => group.subscribers.some(({ received }, index) => received.length > (before[index] ?? 0));
  while (!heardMore() && performance.now() - begun < 30_000) await wait(5);
  return Math.round(performance.now() - begun);
}
