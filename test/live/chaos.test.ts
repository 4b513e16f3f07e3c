// A small form of the chaos proof: `npm run prove -- --only chaos` makes all faults for minutes, under more load.
import { expect, test } from "vitest";
import { isUnharmed, proveChaos } from "#test/live/chaos/chaos.ts";

test("nothing is lost, doubled or left over after some random faults under load", async () => {
  const size = { seconds: 0, faults: 2, subscribers: 4, visitors: 1, seed: 26 };
  const report = await proveChaos(size, console.info);
  expect(report).toMatchObject({ bugs: [], unended: [], lost: 0, missing: 0, filesLacking: 0, filesWithoutRow: 0 });
  expect(isUnharmed(report)).toBe(true);
}, 300_000);
