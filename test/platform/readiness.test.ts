// Readiness of a gateway: a late response of the database is not an outage, a missing one is.
import { expect, test } from "vitest";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

// On its own database: /readyz reports on the whole database.
const { app } = await useApp({ own: true });

async function ready(url: string): Promise<[status: number, database: unknown]> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, ((await answer.json()) as { database?: string; reason?: string }).database];
}

test("/readyz returns 503 when the database answers nothing for 5 seconds", async () => {
  await using holder = await lockHolder(app.databaseUrl);
  await holder.hold(`lock table "_prisma_migrations"`);
  const answers = [await ready(app.url)];
  while (answers.at(-1)?.[0] === 200) answers.push(await ready(app.url));
  expect(answers.slice(0, 2)).toEqual([
    [200, "slow"],
    [200, "slow"],
  ]);
  await holder.release();
  await expect.poll(() => ready(app.url), { timeout: 10_000 }).toEqual([200, undefined]);
  await holder.hold(`lock table "_prisma_migrations"`);
  await expect.poll(() => ready(app.url)).toEqual([200, "slow"]);
}, 60_000);

test("/readyz returns 503 at the first refused database connection", async () => {
  await using proxy = await startDatabaseProxy(app.databaseUrl);
  await using other = await testApp({ beside: { databaseUrl: proxy.url } });
  proxy.disconnect();
  expect((await ready(other.url))[0]).toBe(503);
});
