// The cost quota of a minute on two gateways that share one Redis: counted together while Redis is available, locally
// while it is not, and together again afterwards.
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { costsInRedis } from "#src/server/process/redis.ts";
import { RedisWakeups } from "#src/events/redis-wakeups.ts";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { findRedis } from "#test/live/redis.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const pointsPerMinute = 3_000;
const query = JSON.stringify({ query: "{ organizations { nodes { teams { nodes { id } } } } }" });

/** Sends a query; returns the status and the remaining quota of the response. */
async function ask(url: string, token: string): Promise<{ status: number; left: number }> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/graphql`, { method: "POST", headers, body: query });
  await answer.text();
  return { status: answer.status, left: Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]) };
}

/** Sends queries until the remaining quota is below `left`. */
async function spend(url: string, token: string, most: number): Promise<void> {
  let left = Infinity;
  while (left > most) ({ left } = await ask(url, token));
}

describe("two gateways with one Redis", async () => {
  const redis = await findRedis();
  const proxy = redis && (await startNetworkProxy(redis));
  const at = { url: `redis://127.0.0.1:${proxy?.port}`, name: `test-${process.pid}-${Date.now()}` };
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const open = async () => {
    const costStore = costsInRedis(at);
    const wakeups = () => new RedisWakeups({ ...at, log });
    const gateway = await testApp({ beside: app, costStore, wakeups, trafficLimits: { pointsPerMinute } });
    return { url: gateway.url, close: () => gateway.close().then(() => costStore.close()) };
  };
  const gateways = redis ? [await open(), await open()] : [];
  const [one = "", other = ""] = gateways.map(({ url }) => url);
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await proxy?.close();
    await redis?.[Symbol.asyncDispose]();
  });

  /** A user who has used half of the quota at one gateway, which the other knows. */
  const isShared = async () => {
    const { reader } = await world.organization();
    await spend(one, reader.token, pointsPerMinute / 2);
    await ask(other, reader.token); // the first response has the local count and triggers the read of Redis
    await expect
      .poll(() => ask(other, reader.token), { timeout: 10_000 })
      .toMatchObject({
        left: expect.toSatisfy((left: number) => left < pointsPerMinute * 0.6) as number,
      });
    return reader;
  };

  test.skipIf(!proxy)(
    "cost spent at one is deducted at the other, which refuses operations when the quota is used up",
    async () => {
      const { token } = await isShared();
      await spend(one, token, 0);
      await expect.poll(() => ask(other, token)).toEqual({ status: 429, left: 0 });
    },
  );

  test.skipIf(!proxy)(
    "while Redis is unavailable each gateway counts alone and logs it; then they share the quota again",
    async () => {
      proxy?.disconnect();
      await expect.poll(() => lines.join("")).toMatch(/redis/i);
      const { reader } = await world.organization();
      const refused = () => spend(one, reader.token, 0).then(() => ask(one, reader.token)); // the quota fills meanwhile
      await expect.poll(refused).toEqual({ status: 429, left: 0 });
      const elsewhere = await ask(other, reader.token);
      expect(elsewhere.status).toBe(200);
      expect(elsewhere.left).toBeGreaterThan(0); // nothing is, where what was spent at one counts
      proxy?.reconnect();
      await expect.poll(isShared, { timeout: 30_000, interval: 500 }).toBeTruthy();
    },
  );
});
