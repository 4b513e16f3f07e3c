// A gateway is killed during mutations with an Idempotency-Key: each runs once, and retries return its result.
// `npm run prove -- --only keys` kills more often.
import { expect, test } from "vitest";
import { proveKeyedKills } from "#test/live/keyed-kills.ts";

test("a mutation retried with its Idempotency-Key after kill -9 runs once and returns the same ids", async () => {
  const report = await proveKeyedKills({ kills: 1, writers: 6, seed: 20_261_124 }, console.log);
  console.log(report);
  expect(report).toMatchObject({ notOnce: 0, wrong: 0 });
  expect(report.broken).toBeGreaterThan(0); // some requests were really interrupted
}, 120_000);
