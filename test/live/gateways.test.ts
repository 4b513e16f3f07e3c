// Several gateways on one database: events written at one reach subscribers of the other, with and without a
// notification between them. Restarts are tested in crash.test.ts.
import { pino } from "pino";
import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { PostgresWakeups, silentWakeups } from "#src/events/wakeups.ts";
import { RedisWakeups } from "#src/events/redis-wakeups.ts";
import { startNetworkProxy, startDatabaseProxy } from "#test/live/network-proxy.ts";
import { post as postAt } from "#test/live/requests.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { findRedis } from "#test/live/redis.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { testApp, type TestApp, useApp } from "#test/support/app.ts";

/** Too long for these tests to find anything by polling. */
const never = 3_600_000;
const log = pino({ level: "silent" });
const byPostgres = { wakeups: (url: string) => new PostgresWakeups({ url, log, heartbeatMs: 100 }), pollMs: never };

// On its own database: one test ends the connections that wait for notifications.
const { app } = await useApp({ own: true, ...byPostgres });

/** Subscribes at the gateway `there` to comments that are posted at the gateway `here`. */
async function connect(here: TestApp, there: TestApp) {
  const { token, spaces } = await makeLiveWorld(app.database.pool);
  const [spaceId = ""] = spaces;
  const field = `commentEvents(of: { spaceId: "${spaceId}" })`;
  const subscriber = await new Subscriber({ gateway: () => there.url, token, field, over: "socket" }).start();
  onTestFinished(() => subscriber.stop());
  return {
    post: (text: string) => postAt(here, token, spaceId, text),
    untilDelivered: (text: string) =>
      subscriber.until(() => subscriber.received.some(({ comment }) => comment?.body.markdown === text)),
    texts: () => subscriber.received.map(({ comment }) => comment?.body.markdown),
  };
}

describe("a PostgreSQL notification", async () => {
  const there = await testApp({ ...byPostgres, beside: app });
  afterAll(() => there.close());

  test("delivers an event written at one gateway to subscribers of the other", async () => {
    const { post, untilDelivered, texts } = await connect(app, there);
    await post("one");
    await untilDelivered("one");
    await post("two");
    await untilDelivered("two");
    expect(texts()).toEqual(["one", "two"]);
  });

  test("is made up for after its connection was lost and reopened", async () => {
    const { post, untilDelivered, texts } = await connect(app, there);
    await post("before");
    await untilDelivered("before");
    for (const text of ["one", "two", "three"]) {
      await app.database.pool
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
  const open = (pollMs = never) => testApp({ wakeups, pollMs, beside: app });
  const here = proxy ? await open() : app;
  const there = proxy ? await open() : app;
  afterEach(() => proxy?.reconnect());
  afterAll(async () => {
    if (proxy) await Promise.all([here.close(), there.close()]);
    await proxy?.close();
    await redis?.[Symbol.asyncDispose]();
  });

  test.skipIf(!proxy)("delivers an event written at one gateway to subscribers of the other", async () => {
    const { post, untilDelivered, texts } = await connect(here, there);
    await post("one");
    await untilDelivered("one");
    await post("two");
    await untilDelivered("two");
    expect(texts()).toEqual(["one", "two"]);
  });

  test.skipIf(!proxy)("is sent when Redis is available again", async () => {
    const { post, untilDelivered, texts } = await connect(here, there);
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
    await using polling = await open(50);
    const { post, untilDelivered, texts } = await connect(here, polling);
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
  await using proxy = await startDatabaseProxy(app.databaseUrl);
  await using there = await testApp({
    wakeups: () => silentWakeups,
    pollMs: 50,
    beside: { databaseUrl: proxy.url },
    limits: { statementTimeoutMs: 1_000 }, // a connection counts as dead five seconds later
  });
  const { post, untilDelivered } = await connect(app, there);
  await post("before");
  await untilDelivered("before");
  proxy.dropTraffic();
  await post("meanwhile");
  await untilDelivered("meanwhile");
}, 120_000);
