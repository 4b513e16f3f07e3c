// A real HAProxy, as it is deployed, before gateways whose database takes 2 seconds for each answer: slow is not away.
import { expect, test } from "vitest";
import { startHaproxy } from "#test/live/haproxy.ts";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("HAProxy keeps gateways whose database takes 2 seconds for each answer, and takes out those without one", async ({
  skip,
}) => {
  const { admin, space } = await world.space();
  await using database = await startDatabaseProxy(app.databaseUrl);
  await using first = await testApp({ beside: { databaseUrl: database.url } });
  await using second = await testApp({ beside: { databaseUrl: database.url } });
  await using balancer = await startHaproxy([first.url, second.url]);
  if (!balancer) return skip();
  await balancer.knowsAll();
  const ready = async () => {
    const response = await fetch(`${balancer.url}/readyz`);
    const text = await response.text();
    return [response.status, /"database":"(\w+)"/.exec(text)?.[1]];
  };

  database.slowDown(2_000);
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, "slow"]);
  const title = fetch(`${balancer.url}/v1/spaces/${space.id}`, { headers: { authorization: `Bearer ${admin.token}` } });
  // Twice as long as a database may be silent, and as three failed checks take.
  for (let look = 0; look < 10; look++) expect(await ready()).toEqual([200, "slow"]);
  const response = await title;
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ id: space.id })]);

  database.disconnect();
  await expect.poll(ready, { timeout: 30_000 }).toEqual([503, undefined]);
  database.slowDown(0);
  database.reconnect();
  await expect.poll(ready, { timeout: 60_000 }).toEqual([200, undefined]);
}, 180_000);
