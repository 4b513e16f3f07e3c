// Several gateways on one database: events written at one reach subscribers of the other, with and without a
// notification between them. Restarts are tested in rolling.test.ts.
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { PoolLimits } from "#src/db/connection/pool.ts";
import { PostgresWakeups, silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { RedisWakeups } from "#src/events/redis-wakeups.ts";
import { startNetworkProxy, startDatabaseProxy } from "#test/live/network-proxy.ts";
import type { LiveWorld } from "#test/live/subscriber-group.ts";
import { post as postAt } from "#test/live/requests.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { findRedis } from "#test/live/redis.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { createTestDatabase } from "#test/support/test-database.ts";

/** Too long for these tests to find anything by polling. */
const never = 3_600_000;
const log = pino({ level: "silent" });

/** The gateway for writes, and the one for subscriptions. */
let here: TestApp;
let there: TestApp;
let liveWorld: LiveWorld;
let subscriber: Subscriber;

/** Opens both on one database, and a subscriber at the second one. */
async function open(
  wakeups: (url: string) => Wakeups,
  given: { pollMs?: number; here?: string; there?: string; limits?: Partial<PoolLimits> } = {},
): Promise<void> {
  const { pollMs = never, limits = {} } = given;
  here = await testApp({ wakeups, pollMs, ...(given.here && { beside: { databaseUrl: given.here } }) });
  there = await testApp({ wakeups, pollMs, limits, beside: { databaseUrl: given.there ?? here.databaseUrl } });
  liveWorld = await makeLiveWorld(here.database.pool);
  const { token, spaces } = liveWorld;
  const field = `commentEvents(of: { spaceId: "${spaces[0]}" })`;
  subscriber = await new Subscriber({ gateway: () => there.url, token, field, over: "socket" }).start();
}

const post = (text: string) => postAt(here, liveWorld.token, liveWorld.spaces[0] ?? "", text);

/** Waits until the subscriber at the other gateway has received a comment. */
const untilDelivered = (text: string) =>
  subscriber.until(() => subscriber.received.some(({ comment }) => comment?.body.markdown === text));

const texts = () => subscriber.received.map(({ comment }) => comment?.body.markdown);

async function close(): Promise<void> {
  await subscriber.stop();
  await there.close();
  await here.close();
}

describe("a PostgreSQL notification", () => {
  const wakeups = (url: string) => new PostgresWakeups({ url, log, heartbeatMs: 100 });
  beforeEach(() => open(wakeups));
  afterEach(close);

  test("delivers an event written at one gateway to subscribers of the other", async () => {
    await post("one");
    await untilDelivered("one");
    await post("two");
    await untilDelivered("two");
    expect(texts()).toEqual(["one", "two"]);
  });

  test("is made up for after its connection was lost and reopened", async () => {
    await post("before");
    await untilDelivered("before");
    for (const text of ["one", "two", "three"]) {
      await here.database.pool
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and (query like 'listen docgraph%' or query = 'select 1' or query like 'select pg_notify%')`);
      await post(text); // to nobody, or to a closed connection
    }
    await untilDelivered("three");
    expect(texts()).toEqual(["before", "one", "two", "three"]);
  });
});

describe("a Redis notification", async () => {
  const redis = await findRedis();
  const proxy = redis && (await startNetworkProxy(redis));
  const wakeups = (url: string) =>
    new RedisWakeups({ url: `redis://127.0.0.1:${proxy?.port}`, name: new URL(url).pathname, log });
  afterEach(async () => {
    proxy?.reconnect();
    await close();
  });
  afterAll(async () => {
    await proxy?.close();
    await redis?.[Symbol.asyncDispose]();
  });

  test.skipIf(!proxy)("delivers an event written at one gateway to subscribers of the other", async () => {
    await open(wakeups);
    await post("one");
    await untilDelivered("one");
    await post("two");
    await untilDelivered("two");
    expect(texts()).toEqual(["one", "two"]);
  });

  test.skipIf(!proxy)("is sent when Redis is available again", async () => {
    await open(wakeups);
    await post("before");
    await untilDelivered("before");
    proxy?.disconnect();
    await post("meanwhile");
    proxy?.reconnect();
    await untilDelivered("meanwhile");
    await post("after");
    await untilDelivered("after");
    expect(texts()).toEqual(["before", "meanwhile", "after"]);
  });

  test.skipIf(!proxy)("is not required: without Redis the other gateway polls", async () => {
    await open(wakeups, { pollMs: 50 });
    proxy?.disconnect();
    await post("alone");
    await untilDelivered("alone");
    proxy?.reconnect();
    await post("together");
    await untilDelivered("together");
    expect(texts()).toEqual(["alone", "together"]);
  });
});

test("detects a database that is silent on all connections and then delivers the events of that time", async () => {
  const throwAway = await createTestDatabase();
  onTestFinished(() => throwAway.drop());
  const { url } = throwAway;
  await using proxy = await startDatabaseProxy(url);
  await open(() => silentWakeups, {
    pollMs: 50,
    here: url,
    there: proxy.url,
    limits: { statementTimeoutMs: 1_000 }, // a connection counts as dead five seconds later
  });
  await post("before");
  await untilDelivered("before");
  proxy.dropTraffic();
  await post("meanwhile");
  await untilDelivered("meanwhile");
  await close();
}, 120_000);
