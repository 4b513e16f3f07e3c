// Slots of a user who has used much time: beside others one operation at a time, and a light read; alone all of them.
import { beforeEach, expect, test, vi } from "vitest";
import { OperationSlots } from "#src/domain/operation-slots.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";

// A clock of its own: other applications of the process go on beside these tests.
let time = 0;
beforeEach(() => void (time = 0));
const pass = (ms: number): void => void (time += ms);

const light = 1 / 16;

/** Slots of which "busy" has just used `ms`, and of which "other" takes one as the last. */
function slotsAfter(ms: number, others = ["other"]): OperationSlots {
  const slots = new OperationSlots({ atOncePerUser: 4, atOnce: 8, waitingPerUser: 4 }, () => time);
  runOf(slots, "busy", ms);
  for (const user of others) runOf(slots, user, 0);
  return slots;
}

/** Lets a user have operations, each of `ms`. */
function runOf(slots: OperationSlots, user: string, ms: number, weight = 1): void {
  slots.tryTake(user, weight);
  const slot = slots.slotOf(user, weight);
  pass(ms);
  slot.end();
}

/** How many slots a user gets at once. */
const taken = (slots: OperationSlots, user: string): number => [1, 2, 3, 4].filter(() => slots.tryTake(user)).length;

test("beside others one at a time, and a light read; they are not concerned", async () => {
  const slots = slotsAfter(1_500);
  const lightReads = [1, 2, 3, 4, 5].filter(() => slots.tryTake("busy", light));
  expect([taken(slots, "busy"), lightReads.length, taken(slots, "other")]).toEqual([1, 1, 4]);
  const next = slots.takeInTime("busy", new TimeLimit(Infinity));
  slots.give("busy");
  await next;
  expect(slots.tryTake("busy")).toBe(false);
});

test("as many as others get: alone, after a time below a second, or when as much time has passed", () => {
  expect(taken(slotsAfter(1_500, []), "busy")).toBe(4);
  expect(taken(slotsAfter(900), "busy")).toBe(4);
  const slots = slotsAfter(1_500);
  pass(600);
  expect(taken(slots, "busy")).toBe(4);
});

test("others count until a second after their last operation, or while it runs", () => {
  const slots = slotsAfter(5_000);
  pass(900);
  slots.tryTake("busy");
  expect(slots.tryTake("busy")).toBe(false);
  const running = new TimeLimit(Infinity);
  const place = slots.running.add({ user: "other", limit: running });
  pass(200);
  expect(slots.tryTake("busy")).toBe(false);
  slots.running.remove(place);
  expect(slots.tryTake("busy")).toBe(true);
});

test("while it only waits, an operation uses no time and leaves its slot to the next of its user", () => {
  const slots = slotsAfter(1_500);
  slots.tryTake("busy");
  const slot = slots.slotOf("busy", 1);
  slot.lend();
  pass(400);
  slots.tryTake("other");
  slots.slotOf("other", 1).end();
  expect(taken(slots, "busy")).toBe(1);
  pass(200);
  expect(taken(slots, "busy")).toBe(2); // 1,500 ms less 600
  slot.reclaim();
  slot.end();
  expect(slots.taken).toBe(3);
});

test("work that continues after its operation lends nothing", () => {
  const slots = slotsAfter(0);
  slots.tryTake("busy");
  const slot = slots.slotOf("busy", 1);
  slot.lend();
  expect(slots.taken).toBe(0);
  slot.end();
  slot.reclaim();
  slot.lend();
  expect(slots.taken).toBe(0);
});

test("one who waits in vain learns why", () => {
  const slots = slotsAfter(1_500);
  const wait = () => slots.takeInTime("busy", new TimeLimit(Infinity));
  slots.tryTake("busy");
  for (let count = 0; count < 4; count++) wait().catch(() => {}); // after five seconds
  return expect(wait()).rejects.toThrow(
    "Operations of a user who has used much time run one at a time beside those of others and 4 wait: 1 of yours run and 4 wait.",
  );
});

test("work outside of operations, such as opening sockets, counts as time, and waits for its turn then", async () => {
  const slots = slotsAfter(0);
  for (let count = 0; count < 200; count++) await slots.work("busy", 5);
  expect(slots.isSingle("busy")).toBe(false);
  const ended: number[] = [];
  await Promise.all([20, 1].map((ms) => slots.work("busy", ms).then(() => ended.push(ms))));
  expect([slots.isSingle("busy"), ended]).toEqual([true, [20, 1]]);
});

test("a rest is as long as others need: four times the work while they use a slot all the time, half a second at most", () => {
  const rests = [0, 100, 250, 1_000, 5_000].map((othersMs) => {
    const slots = slotsAfter(4_000);
    if (othersMs > 0) slots.use("other", othersMs);
    return slots.restFor("busy", 100);
  });
  expect(rests).toEqual([0, 40, 100, 400, 400]);
  const slots = slotsAfter(4_000);
  slots.use("other", 1_000);
  expect([slots.restFor("busy", 1_000), slots.restFor("other", 1_000)]).toEqual([500, 0]);
  expect(slots.restFor("busy", 0.1)).toBe(0); // less than a timer
});

test("the time of others passes: half of the second before, and nothing two seconds after it", () => {
  const restAfter = (ms: number) => {
    const slots = slotsAfter(10_000);
    slots.use("other", 1_000);
    pass(ms);
    slots.use("busy", 10_000);
    runOf(slots, "other", 0);
    return slots.restFor("busy", 100);
  };
  expect([0, 1_500, 2_000].map(restAfter)).toEqual([400, 200, 0]);
});

test("whose other operations run or wait stays single, however little each of them takes", () => {
  // Rests end at once; nothing else runs meanwhile.
  using _rests = vi.spyOn(globalThis, "setTimeout").mockImplementation((next) => {
    next();
    return { unref: () => {} } as unknown as NodeJS.Timeout; // all that is called
  });
  const slots = slotsAfter(1_500);
  for (let count = 0; count < 20; count++) {
    runOf(slots, "other", 50);
    slots.tryTake("busy");
    runOf(slots, "busy", 10, light);
    slots.give("busy");
    pass(100);
  }
  expect([slots.isSingle("busy"), slots.taken]).toEqual([true, 0]);
  for (let count = 0; count < 20; count++) {
    runOf(slots, "other", 50);
    runOf(slots, "busy", 10, light); // one after the other
    pass(100);
  }
  expect(slots.isSingle("busy")).toBe(false);
});

test("a light read that has cost much counts as a whole slot", () => {
  const isSingleAfter = (points: number) => {
    const slots = slotsAfter(0);
    slots.tryTake("busy", light);
    const slot = slots.slotOf("busy", light);
    pass(2_000);
    slot.end(points);
    runOf(slots, "other", 0);
    return slots.isSingle("busy");
  };
  expect([5_000, 5_001].map(isSingleAfter)).toEqual([false, true]);
});
