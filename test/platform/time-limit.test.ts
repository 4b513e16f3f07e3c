// The time limit of an operation: listeners are notified once, later commits are rolled back, and uncounted waits pause
// it once, however many overlap.
import { afterEach, expect, test, vi } from "vitest";
import { besideLimit, TimeLimit, withinLimit } from "#src/db/connection/time-limit.ts";
import { OperationSlots } from "#src/domain/operation-slots.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

afterEach(() => void vi.useRealTimers());

/** The clock of a limit, which advances only by `pass`. */
function stoppedClock() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
  return { after, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test("overlapping uncounted waits pause the clock until the last one ends", async () => {
  const { after, pass } = stoppedClock();
  const limit = new TimeLimit(1_000);
  const left: number[] = [];
  const running = limit.run(async () => {
    await Promise.all([besideLimit(() => after(10)), besideLimit(() => after(20))]);
    left.push(limit.leftMs);
    await besideLimit(() => after(950));
    await withinLimit("select 1", () => after(900));
    left.push(limit.leftMs);
    return withinLimit("select 2", () => after(200));
  });
  running.catch(() => {});
  await pass(20);
  await pass(950);
  await pass(900);
  expect(left).toEqual([1_000, 100]);
  await pass(100);
  await expect(running).rejects.toThrow("The operation exceeded its time limit");
});

test("a wait that outlasts its run does not affect the clock of the next run", async () => {
  const { after, pass } = stoppedClock();
  const limit = new TimeLimit(100);
  await limit.run(async () => void besideLimit(() => after(50)));
  await limit.run(async () => void besideLimit(() => after(20)));
  await pass(50);
  await pass(1_000);
  expect(limit.leftMs).toBe(100);
  const next = limit.run(async () => {
    await besideLimit(() => after(10));
    await withinLimit("select 1", () => after(1_000));
  });
  next.catch(() => {});
  await pass(10);
  await pass(100);
  await expect(next).rejects.toThrow("The operation exceeded its time limit");
});

test("a fraction of the limit stays a fraction after an uncounted wait", async () => {
  const { after, pass } = stoppedClock();
  const limit = new TimeLimit(900);
  const run = limit.run(async () => {
    await besideLimit(() => after(10));
    await withinLimit("select 1", () => after(700));
  }, 2 / 3);
  run.catch(() => {});
  await pass(10);
  await pass(600);
  await expect(run).rejects.toThrow("The operation exceeded its time limit");
});

test("an operation with two concurrent waits lends its slot once", () => {
  const slots = new OperationSlots({ atOncePerUser: 4, atOnce: 2, waitingPerUser: 4 });
  expect([slots.tryTake("a"), slots.tryTake("b"), slots.tryTake("c")]).toEqual([true, true, false]);
  const slot = slots.slotOf("a", 1);
  slot.lend();
  slot.lend();
  expect([slots.taken, slots.tryTake("c"), slots.tryTake("d")]).toEqual([1, true, false]);
  slot.reclaim();
  expect(slots.taken).toBe(2);
  slot.reclaim();
  expect(slots.taken).toBe(3);
});

test("the limit fires once, also for late listeners and when the client disconnects afterwards", async () => {
  const limit = new TimeLimit(1);
  const received: string[] = [];
  await limit.run(
    () =>
      new Promise<void>((resolve) => {
        limit.onEnd(({ message }) => {
          received.push(message);
          resolve();
        });
        limit.onEnd(() => received.push("who listens no more"))();
      }),
  );
  limit.abandon();
  expect(received).toEqual(["The operation exceeded its time limit"]);
  const late = new Promise<Error>((resolve) => void limit.onEnd(resolve));
  limit.onEnd(() => received.push("who listens no more"))();
  expect((await late).message).toContain("The client closed the request.");
  expect(received).toHaveLength(1);
});

test("a mutation is rolled back when its client disconnects before the commit, and the connection is reused", async () => {
  const { organization } = await world.organization();
  const { prisma } = app.database;
  const limit = new TimeLimit(60_000);
  const changing = limit.run(() =>
    prisma.$transaction(async (transaction) => {
      await transaction.organization.update({ where: { id: organization.id }, data: { title: "Undone" } });
      limit.abandon();
    }),
  );
  await expect(changing).rejects.toThrow("The time limit ended before the commit");
  const { title } = await prisma.organization.findUniqueOrThrow({ where: { id: organization.id } });
  expect(title).toBe(organization.title);
});
