// The caches of the process share one budget in bytes, which is kept for any input.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheMegabytes } from "#src/base/limits.ts";
import { cacheLoads, limitCaches } from "#src/runtime/cache-budget.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { Metrics } from "#src/server/process/metrics.ts";
import { useApp } from "#test/support/app.ts";
import { readMetrics, sumOf } from "#test/support/metrics.ts";
import { times } from "#test/support/world.ts";

const megabyte = 1024 * 1024;
const budget = 20;

const metrics = new Metrics({ version: "1.2.3" });
const { app, world } = await useApp({ metrics, executor: createExecutor(schema) });

beforeAll(() => limitCaches(budget));
afterAll(() => limitCaches(cacheMegabytes));

const held = async (name: string, cache?: string) =>
  sumOf(readMetrics(await metrics.text()), name, cache === undefined ? {} : { cache }) ?? 0;

test("the shares of caches add up to at most the memory budget", async () => {
  expect(cacheLoads().length).toBeGreaterThan(5);
  expect(await held("docgraph_cache_bytes_max")).toBeLessThanOrEqual(budget * megabyte);
  expect(await held("docgraph_cache_bytes_max")).toBeGreaterThan(budget * megabyte * 0.8);
});

test("caches stay within their shares for any number of valid documents", async () => {
  const { reader } = await world.organization();
  const most = await held("docgraph_cache_bytes_max", "parsed documents");
  const weights = [];
  for (let round = 0; round < 60; round++) {
    const fields = times(40 + round, (index) => `r${round}x${index}: id`).join(" ");
    await app.as(reader.token).query(`{ viewer { ${fields} } }`);
    weights.push(await held("docgraph_cache_bytes", "parsed documents"));
  }
  expect(Math.max(...weights)).toBeLessThanOrEqual(most);
  expect(weights.at(-1)).toBeGreaterThan(most / 2); // they are cached, and the oldest was evicted
  expect(await held("docgraph_cache_bytes")).toBeLessThanOrEqual(budget * megabyte);
});

test("caches evict entries when the budget is lowered", async () => {
  limitCaches(1);
  expect(await held("docgraph_cache_bytes")).toBeLessThanOrEqual(megabyte);
  limitCaches(budget);
});
