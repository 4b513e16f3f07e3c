// Gateways behind a balancer that sends nothing twice are restarted one after the other: no request fails. `npm run
// prove` sends more.
import { expect, test } from "vitest";
import { proveRolling } from "#test/live/rolling.ts";

test("two gateways behind HAProxy are restarted in turn: no request fails, nothing is lost, and everybody hears all", async ({
  skip,
}) => {
  const report = await proveRolling({ requests: 500, rounds: 1, subscribers: 8, seed: 1 }, console.log);
  if (!report) return skip();
  console.log(report);
  expect(report).toMatchObject({ failed: 0, lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0, restarts: 2 });
  expect(report.requests).toBeGreaterThanOrEqual(500);
}, 120_000);
