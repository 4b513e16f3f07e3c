// The budget of memory: shares of a gateway, and threads that wait for memory instead of using more than there is. At
// the small size a thread that fills its memory has half as much.
import { afterEach, describe, expect, test } from "vitest";
import { limitMemory, nodeOptionsFor, sharesOf, threadMemory } from "#src/runtime/memory.ts";
import { workFor } from "#src/runtime/tenant.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { memoryOfGateway } from "#src/server/process/memory.ts";
import type { Behaviour } from "#test/platform/misbehaving-thread.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const gigabyte = 1024 ** 3;
const ours = { memoryMegabytes: undefined, databaseUrl: "postgres://elsewhere", workers: 1 };

describe("the memory of a gateway", () => {
  test.each([
    ["MEMORY_MB, in a container of any size", { ...ours, memoryMegabytes: 800 }, gigabyte, 800],
    ["MEMORY_MB, shared by workers", { ...ours, memoryMegabytes: 800, workers: 4 }, 0, 200],
    ["that of the container", ours, gigabyte, 1024],
    ["that of the container without the embedded PostgreSQL", { ...ours, databaseUrl: undefined }, gigabyte, 624],
    ["three quarters of the machine without a container", ours, 2 ** 64, 6144],
    ["three quarters of the machine if its limit is unknown", ours, 0, 6144],
  ])("is %s", (_what, config, container, expected) => {
    expect(memoryOfGateway(config, container, 8 * gigabyte)).toBe(expected);
  });

  test.each([512, 1024, 2048])("is known to V8 for %d MB, with room for caches, threads and code", (megabytes) => {
    const { heap, heavyThreads, lightThreads } = sharesOf(megabytes);
    expect(nodeOptionsFor(megabytes)).toEqual([`--max-old-space-size=${heap}`, "--max-semi-space-size=8"]);
    expect(heap + heavyThreads + lightThreads).toBeLessThan(megabytes * 0.95);
  });

  test("is left to V8 if it is ample", () => {
    expect(nodeOptionsFor(8192)).toEqual([]);
  });
});

describe("threads for large work", () => {
  afterEach(() => limitMemory(Infinity, 320));

  /** Threads with 200 MB, of which a gateway of 1 GB has memory for one. */
  const poolOf = (megabytes: number, needs?: () => number) =>
    new ThreadPool<Behaviour, string>(new URL("misbehaving-thread.ts", import.meta.url), {
      threads: 3,
      megabytes,
      ...(needs && { needs }),
    });
  const as = (user: string, work: () => Promise<unknown>) =>
    workFor(
      { user, mostWaiting: 10, takeTime: () => {}, isSingle: () => false, restFor: () => 0, countRefusal: () => {} },
      work,
    );

  test("wait for memory across pools, in turns of users, and idle ones end for others", async () => {
    limitMemory(1024, 320);
    const [pool, other] = [poolOf(200), poolOf(200)];
    const ofOthers = threadMemory.taken; // idle threads of other files
    const ended: string[] = [];
    const taken: number[] = [];
    const run = async (user: string, at = pool) => {
      await as(user, () => at.run(["answer"], 20_000));
      ended.push(user);
      taken.push(threadMemory.taken);
    };
    await Promise.all([...times(3, () => run("many")), run("one", other)]);
    expect(Math.max(...taken)).toBeLessThanOrEqual(sharesOf(1024).heavyThreads + ofOthers);
    expect([ended.indexOf("one") < 3, ended.length, threadMemory.waiting]).toEqual([true, 4, 0]);
  });

  test("get as much as their work is expected to need, and the most if that is too little", async () => {
    limitMemory(1024, 320);
    const pool = poolOf(sized(100, 200), () => 64);
    const outcomes = await Promise.all(times(2, () => pool.run(["answer"], 20_000)));
    expect(outcomes).toEqual(times(2, () => ({ answers: ["done"], ended: "all done" })));
    expect(await pool.run(["answer", "numbers"], 20_000)).toEqual({
      answers: ["done"],
      ended: "out of memory",
    });
  });
});
