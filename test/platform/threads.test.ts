// Thread pools: results in order, and tasks that exceed a limit end without affecting others. At the small size one
// kind of many values and every second kind of a large value fill the memory.
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { lowerPriorityOfPool } from "#src/runtime/priority.ts";
import { workFor } from "#src/runtime/tenant.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { type Behaviour, filled, giantKinds } from "#test/platform/misbehaving-thread.ts";
import { inTurn } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const poolOf = (threads: number) =>
  new ThreadPool<Behaviour, string>(new URL("misbehaving-thread.ts", import.meta.url), { threads, megabytes: 64 });
const long = 20_000;

test("runs any number of jobs on a few threads", async () => {
  const pool = poolOf(2);
  const jobs = Array.from({ length: 10 }, (_, index) =>
    pool.run(
      Array.from({ length: index }, () => "answer"),
      long,
    ),
  );
  for (const [index, { answers, ended }] of (await Promise.all(jobs)).entries())
    expect([answers, ended]).toEqual([Array.from({ length: index }, () => "done"), "all done"]);
});

test("ends a job at a task that exceeds time or memory, and runs the next one in a new thread", async () => {
  const pool = poolOf(1);
  const slow = pool.run(["answer", "never end", "answer"], 500);
  const greedy = pool.run(["numbers"], long);
  const next = pool.run(["answer"], long);
  expect(await slow).toEqual({ answers: ["done"], ended: "out of time" });
  expect(await greedy).toEqual({ answers: [], ended: "out of memory" });
  expect(await next).toEqual({ answers: ["done"], ended: "all done" });
});

test.each(inTurn(filled, 2, 3))("memory full of %s ends the thread, not the process", async (what) => {
  expect(await poolOf(1).run([what], long)).toEqual({ answers: [], ended: "out of memory" });
});

test.each(inTurn(giantKinds, 1))("%s ends the thread, not the process", async (what) => {
  expect(await poolOf(1).run([what], long)).toEqual({ answers: [], ended: "out of memory" });
});

test("a limit of CPU time ends a busy task and keeps one that waits for the processor", async () => {
  const file = new URL("misbehaving-thread.ts", import.meta.url);
  const pool = new ThreadPool<Behaviour, string>(file, { threads: 1, megabytes: 64, limitsCpu: true });
  expect(await pool.run(["sleep"], 100)).toEqual({ answers: ["done"], ended: "all done" });
  expect((await pool.run(["never end"], 100)).ended).toBe("out of time");
});

test("a thread that never ends does not block the others", async () => {
  const pool = poolOf(2);
  const slow = pool.run(["wait for ever"], 3000);
  expect(await pool.run(["answer"], long)).toEqual({ answers: ["done"], ended: "all done" });
  expect(await pool.run(["answer"], long)).toEqual({ answers: ["done"], ended: "all done" });
  expect((await slow).ended).toBe("out of time");
});

test("leaves one thread to other users, bills the work, and refuses jobs beyond the queue", async () => {
  const pool = poolOf(2);
  const paid = new Map<string, number>();
  const refusals: string[] = [];
  const as = (user: string, task: Behaviour, milliseconds: number) =>
    workFor(
      {
        user,
        mostWaiting: 2,
        takeTime: (ms) => paid.set(user, (paid.get(user) ?? 0) + ms),
        isSingle: () => false,
        restFor: () => 0,
        countRefusal: () => refusals.push(user),
      },
      () => pool.run([task], milliseconds),
    );
  const slow = [10_000, 10_000, 500, 500].map((milliseconds) => as("busy", "wait for ever", milliseconds));
  await expect(as("busy", "answer", long)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(refusals).toEqual(["busy"]);
  expect(await as("other", "answer", long)).toEqual({ answers: ["done"], ended: "all done" });
  expect(paid.has("busy")).toBe(false); // none of their tasks has ended
  expect((await Promise.all(slow)).map(({ ended }) => ended)).toEqual(times(4, () => "out of time"));
  expect(paid.get("busy")).toBeGreaterThanOrEqual(21_000 - 4 * 10);
});

test("gives a user who does one thing at a time one thread, and rejects jobs beyond the queue", async () => {
  const pool = poolOf(3);
  const ended: string[] = [];
  const rests: number[] = [];
  const tenant = {
    user: "busy",
    mostWaiting: 1,
    takeTime: () => {},
    isSingle: () => true,
    restFor: (ms: number) => rests.push(ms),
    countRefusal: () => {},
  };
  const run = (name: string, task: Behaviour, milliseconds: number) =>
    workFor(tenant, () => pool.run([task], milliseconds)).then(() => ended.push(name));
  const both = [run("first", "wait for ever", 2_000), run("second", "answer", long)];
  await expect(run("third", "answer", long)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await Promise.all(both);
  expect(ended).toEqual(["first", "second"]);
  expect(rests[0]).toBeGreaterThanOrEqual(1_990); // a timer may be early
});

test("rejects a job with the error of its task and keeps the pool usable", async () => {
  const pool = poolOf(1);
  await expect(pool.run(["answer", "throw"], long)).rejects.toThrow("Thrown by the test.");
  expect(await pool.run(["answer"], long)).toEqual({ answers: ["done"], ended: "all done" });
});

test("rejects jobs if the worker file cannot be run", async () => {
  const pool = new ThreadPool<string, string>(new URL("no-such-file.ts", import.meta.url), {
    threads: 1,
    megabytes: 64,
  });
  await expect(pool.run(["x"], long)).rejects.toThrow("Cannot find module");
});

test("ends an idle thread and starts a new one for the next job", async () => {
  const limits = { threads: 1, megabytes: 64, idleMs: 20 };
  const pool = new ThreadPool<Behaviour, string>(new URL("misbehaving-thread.ts", import.meta.url), limits);
  const [ends, tasks] = [vi.spyOn(Worker.prototype, "terminate"), vi.spyOn(Worker.prototype, "postMessage")];
  await pool.run(["answer"], long);
  const thread = tasks.mock.contexts.at(-1); // threads of other pools may end meanwhile
  await vi.waitFor(() => expect(ends.mock.contexts).toContain(thread), long);
  await ends.mock.results[ends.mock.contexts.indexOf(thread)]?.value; // it has exited
  expect(await pool.run(["answer"], long)).toEqual({ answers: ["done"], ended: "all done" });
  vi.restoreAllMocks();
});

test.runIf(process.platform === "linux")("threads that work beside requests have a lower priority", async () => {
  await lowerPriorityOfPool();
  const threads = readdirSync("/proc/self/task").map(Number);
  const named = (thread: number) => readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim();
  const ofPool = threads.filter((thread) => named(thread) === "libuv-worker");
  expect(ofPool).toHaveLength(4);
  for (const thread of ofPool) expect(getPriority(thread)).toBe(10);
  expect(getPriority(process.pid)).toBe(0);
});
