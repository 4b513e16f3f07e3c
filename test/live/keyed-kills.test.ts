// A gateway is killed in the middle of mutations with an Idempotency-Key: each is done once, and answered by what was
// done. `npm run prove -- --only keys` kills more often.
import { expect, test } from "vitest";
import { proveKeyedKills } from "#test/live/keyed-kills.ts";

test("a mutation retried with its Idempotency-Key after kill -9 runs once and returns the same ids", async () => {
  const report = await proveKeyedKills({ kills: 1, writers: 6, seed: 20_261_124 }, console.log);
  console.log(report);
  expect(report).toMatchObject({ notOnce: 0, wrong: 0 });
  expect(report.broken).toBeGreaterThan(0); // something was really broken off
}, 120_000);
