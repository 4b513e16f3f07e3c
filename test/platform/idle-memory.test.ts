// When a process that has nothing to do collects garbage: optimized code does not survive that, so not in short pauses.
import { expect, test } from "vitest";
import { IdleCollections } from "#src/server/process/lifecycle.ts";
import { times } from "#test/support/world.ts";

const [working, idle] = [6_000, 100]; // CPU milliseconds in 12 seconds

/** The looks, numbered from one, at which garbage is collected. */
function collectionsAt(...cpuTimes: readonly number[]): number[] {
  const collections = new IdleCollections();
  return cpuTimes.flatMap((cpuMs, look) => (collections.isDue(cpuMs) ? look + 1 : []));
}

const idleFor = (looks: number): number[] => times(looks, () => idle);

test("garbage is collected thrice after a minute without work, and again only after the next load", () => {
  expect(collectionsAt(...idleFor(100))).toEqual([5, 6, 7]);
  expect(collectionsAt(...idleFor(20), working, ...idleFor(20))).toEqual([5, 6, 7, 26, 27, 28]);
});

test("a shorter pause in the load does not lead to a collection, however often it comes", () => {
  const pauses = times(10, () => [working, ...idleFor(4)]).flat();
  expect(collectionsAt(...pauses)).toEqual([]);
});
