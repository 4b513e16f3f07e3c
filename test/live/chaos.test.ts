// A small form of the chaos proof: `npm run prove -- --only chaos` makes all faults for minutes.
import { expect, test } from "vitest";
import { isUnharmed, proveChaos } from "#test/live/chaos/chaos.ts";

test("nothing is lost, doubled or left over after some random faults under load", async () => {
  const size = { seconds: 0, faults: 3, subscribers: 4, visitors: 2, seed: 1 };
  const report = await proveChaos(size, console.info);
  expect(report).toMatchObject({ bugs: [], unended: [], lost: 0, missing: 0, filesLacking: 0, filesWithoutRow: 0 });
  expect(isUnharmed(report)).toBe(true);
}, 300_000);
