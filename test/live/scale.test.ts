// Several machines as in the printed deployment: the primary is killed under load, and no acknowledged write is lost.
// `npm run prove` runs it with more of everything.
import { expect, test } from "vitest";
import { proveScale } from "#test/live/scale.ts";

test("a full deployment loses no write and no event when the primary is killed", async ({ skip }) => {
  const size = { gateways: 2, subscribers: 4, seconds: 0, writers: 1, readers: 1, restMs: 200, seed: 1 };
  const report = await proveScale(size, console.log);
  if (!report) return skip();
  console.log(report);
  expect(report).toMatchObject({ lost: 0, missing: 0, doubled: 0, hollow: 0, different: 0, replicasUsed: 2 });
}, 180_000);
