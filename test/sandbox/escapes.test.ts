// Scripts that try to escape the sandbox or to exceed limits: none succeeds, and later scripts are unaffected. At the
// small size every second of the scripts that use all time or memory runs: each ends its thread.
import { expect, test } from "vitest";
import { escapes } from "#test/sandbox/escapes.ts";
import { answerOf, faultOf, useSandbox } from "#test/sandbox/sandboxed.ts";
import { isFullSize, sized } from "#test/support/runs.ts";

const limits = { cpuMs: 300, totalMs: 10_000 };
/** One thread each: a script that ends its thread has it started again, and the scripts run one after the other. */
const run = useSandbox(limits, 1);
const narrow = {
  "little time": useSandbox({ cpuMs: sized(20, 50), totalMs: 1_000 }, 1),
  "little memory": useSandbox({ cpuMs: sized(100, 300), totalMs: sized(500, 10_000), memoryBytes: 8 * 1024 * 1024 }, 1),
};

const tested = escapes.filter(([, , comes], index) => isFullSize || !("limits" in comes) || index % 2 === 0);

test.each(tested)("%s", { timeout: 30_000 }, async (_name, body, comes) => {
  const result = await ("limits" in comes ? narrow[comes.limits] : run)(body);
  if ("answers" in comes) expect(answerOf(result)).toEqual(comes.answers);
  else expect(faultOf(result)).toMatch(comes.ends);
});

test("at least sixty distinct escape attempts are tested", () => {
  expect(new Set(escapes.map(([name]) => name)).size).toBe(escapes.length);
  expect(escapes.length).toBeGreaterThan(60);
});

test("after all escape attempts the sandbox and the gateway's objects are unchanged", async () => {
  const world =
    "return [Object.keys(Object.prototype), typeof left, [].map((x) => x).length, JSON.stringify({ a: 1 })]";
  expect(answerOf(await run(world))).toEqual([[], "undefined", 0, '{"a":1}']);
  expect([Object.keys(Object.prototype), "polluted" in {}]).toEqual([[], false]);
});
