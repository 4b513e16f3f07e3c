// A small form of the soak proof; `npm run prove -- --only soak` also checks the resources of the gateway.
import { expect, test } from "vitest";
import { proveSoak } from "#test/live/soak.ts";

test("lasting subscribers receive every event and no request fails under mixed load", async () => {
  const size = { seconds: 1, restSeconds: 0, subscribers: 5, visitors: 5, stayMs: 500, seed: 1 };
  const { use: _use, done, faults, expected, ...comparison } = await proveSoak(size, console.info);
  expect(faults).toEqual([]);
  expect(comparison).toEqual({ missing: 0, doubled: 0, hollow: 0, different: 0 });
  expect(expected).toBeGreaterThan(5);
  const kinds = ["REST reads", "imports", "merges", "nested reads", "uploads", "visits", "writes"];
  expect(Object.keys(done).toSorted()).toEqual(kinds);
}, 120_000);
