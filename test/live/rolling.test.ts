// Gateways behind a load balancer without retries are restarted and stopped: no request fails. `npm run prove` restarts
// them repeatedly under more load.
import { expect, test } from "vitest";
import { proveRolling } from "#test/live/rolling.ts";

test("no request fails and no event is lost when gateways behind HAProxy are restarted and stopped", async () => {
  const report = await proveRolling(
    { requests: 20, restarts: 1, subscribers: 4, people: 2, restMs: 150, seed: 1 },
    console.log,
  );
  console.log(report);
  expect(report).toMatchObject({ failed: 0, lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0, restarts: 1 });
  expect(report.requests).toBeGreaterThanOrEqual(20);
  expect(report.returns).toBeGreaterThanOrEqual(4); // every subscriber was connected to each gateway
}, 120_000);
