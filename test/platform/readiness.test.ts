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

test("/readyz returns 503 from the third timeout of a slow database in a row", async () => {
  await using holder = await lockHolder(app.databaseUrl);
  const looks = async (count: number) => {
    const answers: unknown[] = [];
    while (answers.length < count) {
      const at = performance.now();
      const answer = await ready(app.url);
      if (performance.now() - at > 500) answers.push(answer); // not the response to the previous check
    }
    return answers;
  };
  await holder.hold(`lock table "_prisma_migrations"`);
  expect(await looks(3)).toEqual([
    [200, "slow"],
    [200, "slow"],
    [503, undefined],
  ]);
  await holder.release();
  await expect.poll(() => ready(app.url)).toEqual([200, undefined]);
  await holder.hold(`lock table "_prisma_migrations"`);
  expect(await looks(1)).toEqual([[200, "slow"]]);
});

test("/readyz returns 503 at the first refused database connection", async () => {
  await using proxy = await startDatabaseProxy(app.databaseUrl);
  await using other = await testApp({ beside: { databaseUrl: proxy.url } });
  proxy.disconnect();
  expect((await ready(other.url))[0]).toBe(503);
});
