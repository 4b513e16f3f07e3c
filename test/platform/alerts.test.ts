// The alerts for Prometheus: each is inactive at first, and active once its fault is made.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { takeWriterLock } from "#src/db/connection/writer-lock.ts";
import { sql } from "#src/db/connection/database.ts";
import { verifyBlobs } from "#src/features/content/commands/blobs.ts";
import { startJobs } from "#src/jobs/start-jobs.ts";
import { alertRules, alerts } from "#src/reference/alerts.ts";
import { Metrics } from "#src/server/process/metrics.ts";
import { post } from "#test/live/requests.ts";
import { addInstallation, addIntegration } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { activeBy } from "#test/support/promql.ts";
import { times } from "#test/support/world.ts";

const metrics = new Metrics({ version: "1.2.3" });
// On its own database, which it takes away, and whose queues it fills.
const { app, world } = await useApp({ own: true, metrics, filesCheckMs: 20 });
const { database, databaseUrl } = app;
const { space, admin } = await world.space();
const client = app.as(admin.token);
const title = `{ space(id: "${space.id}") { title } }`;
await client.query(title);

/** Thresholds that are lower here: the test does not wait until the fault has lasted as long. */
const lowered: Readonly<Record<string, readonly [from: string, to: string]>> = {
  DocgraphEventsDelayed: ["> 10", "> 0"],
};

const longAgo = sql`now() - interval '2 hours'`;

/** Makes the fault of each alert; the result ends it. */
const faults: Readonly<Record<string, () => Promise<(() => Promise<unknown>) | undefined>>> = {
  async DocgraphInternalErrors() {
    await database.query(sql`alter table "Organization" rename to "Elsewhere"`);
    await client.graphql("{ organizations { totalCount } }");
    await database.query(sql`alter table "Elsewhere" rename to "Organization"`);
    return undefined;
  },
  async DocgraphSlow() {
    const holder = await lockHolder(databaseUrl);
    await holder.hold(`lock table "Space"`);
    const asked = times(10, () => client.graphql(title));
    await wait(1_050);
    await holder[Symbol.asyncDispose]();
    await Promise.all(asked);
    return undefined;
  },
  async DocgraphStatementsWait() {
    const holder = await lockHolder(databaseUrl);
    await holder.hold(`lock table "Space"`);
    const asked = times(60, () => database.query(sql`select id from "Space" limit 1`).catch(() => null));
    await holder.waiters(1);
    return async () => {
      await holder[Symbol.asyncDispose]();
      await Promise.all(asked);
    };
  },
  async DocgraphEventsDelayed() {
    const session = await database.pool.connect();
    await session.query(`begin; ${takeWriterLock}; select pg_current_xact_id()`);
    await post(app, admin.token, space.id);
    return async () => {
      await session.query("commit");
      session.release();
    };
  },
  async DocgraphConsumerBehind() {
    await database.query(sql`update "OutboxEvent" set "createdAt" = ${longAgo}`);
    return () => database.query(sql`update "OutboxEvent" set "createdAt" = now()`);
  },
  async DocgraphDeliveriesPileUp() {
    const organizationId = space.organizationId;
    const { id } = await world.insert((rows) => {
      const integration = addIntegration(rows, { organizationId });
      return addInstallation(rows, { integrationId: integration.id, organizationId });
    });
    await database.query(sql`insert into "IntegrationEvent" (id, "installationId", type, sequence)
      select 'ive_' || n, ${id}, 'comment_created', n from generate_series(1, 5001) n`);
    return () => database.query(sql`delete from "IntegrationEvent"`);
  },
  async DocgraphQueueStuck() {
    await database.query(sql`insert into "EmailDomain" ("organizationId", domain, "claimedAt", "dueAt")
      values (${space.organizationId}, 'example.com', now(), ${longAgo})`);
    return () => database.query(sql`delete from "EmailDomain"`);
  },
  async DocgraphJobDied() {
    const around = { ...app, clock: { now: () => new Date() }, log: pino({ level: "silent" }) };
    const jobs = await startJobs({ ...around, jobs: [], url: databaseUrl, readTxtRecords: async () => [] });
    await database.query(sql`insert into pgboss.job (name, data) values ('dead-letter', '{}')`);
    return async () => {
      await database.query(sql`delete from pgboss.job`);
      await jobs.stop();
    };
  },
  DocgraphFilesAway() {
    const spy = vi.spyOn(app.files, "find").mockRejectedValue(new Error("the file storage failed"));
    return Promise.resolve(() => Promise.resolve(spy.mockRestore()));
  },
  async DocgraphFilesDamaged() {
    await database.query(sql`insert into "IntegrationVersion" (id, "integrationId", number, runtime, manifest, script)
      select 'inv_1', id, 9, 'v1', '{}', ${"0".repeat(64)} from "Integration" limit 1`);
    await verifyBlobs(app, "");
    return undefined;
  },
  async DocgraphEventLoopBlocked() {
    const block = () => {
      for (const until = performance.now() + 700; performance.now() < until;);
    };
    const blocking = setInterval(block, 1_000); // each scrape measures from the last one
    return () => Promise.resolve(clearInterval(blocking));
  },
  async DocgraphDatabaseDown() {
    const { pathname } = new URL(databaseUrl);
    const name = pathname.slice(1);
    const admin = new pg.Client({
      connectionString: Object.assign(new URL(databaseUrl), { pathname: "/postgres" }).href,
    });
    await admin.connect();
    await admin.query(`alter database "${name}" allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    return async () => {
      await admin.query(`alter database "${name}" allow_connections true`);
      await admin.end();
    };
  },
  async DocgraphUnavailable() {
    const undo = await faults["DocgraphDatabaseDown"]?.();
    const isRefused = async () => /UNAVAILABLE|TIMEOUT/.test(JSON.stringify(await client.graphql(title)));
    await expect.poll(isRefused).toBe(true);
    return undo;
  },
};

test("each alert has a fault, and none is active before", async () => {
  const text = await metrics.text();
  const scrapes = { before: text, after: text };
  expect(alerts.filter(({ expr }) => activeBy(expr, scrapes).length > 0)).toEqual([]);
  expect(Object.keys(faults).toSorted()).toEqual(
    alerts
      .map(({ name }) => name)
      .filter((name) => name !== "DocgraphAbsent")
      .toSorted(),
  );
  const [absent] = alerts;
  expect(activeBy(absent?.expr ?? "", { before: text, after: "" })).toEqual([1]);
});

test.each(Object.keys(faults))("%s is active while its fault lasts", async (name) => {
  const alert = alerts.find((one) => one.name === name);
  const [from, to] = lowered[name] ?? ["", ""];
  const expr = (alert?.expr ?? "").replace(from, to);
  const before = await metrics.text();
  const undo = await faults[name]?.();
  try {
    await expect.poll(async () => activeBy(expr, { before, after: await metrics.text() }).length).toBeGreaterThan(0);
  } finally {
    await undo?.();
  }
});

test("a job that failed for good over an hour ago activates no alert", async () => {
  const undo = await faults["DocgraphJobDied"]?.();
  await database.query(sql`update pgboss.job set created_on = ${longAgo}`);
  const { expr = "" } = alerts.find(({ name }) => name === "DocgraphJobDied") ?? {};
  const counts = async () => /^docgraph_job_dead_letters(?:_last_hour)? .*$/gm[Symbol.match](await metrics.text());
  await expect.poll(counts).toEqual(["docgraph_job_dead_letters 1", "docgraph_job_dead_letters_last_hour 0"]);
  const text = await metrics.text();
  expect(activeBy(expr, { before: text, after: text })).toEqual([]);
  await undo?.();
});

test("the rules are YAML with one entry for each alert", () => {
  const rules = alertRules();
  expect(rules.match(/^ {6}- alert: Docgraph\w+$/gm)).toHaveLength(alerts.length);
  expect(rules).toContain(String.raw`expr: "sum(rate(docgraph_requests_total{code=~\"INTERNAL|5..\"}[5m])) > 0"`);
});
