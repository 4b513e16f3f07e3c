// The semaphore in front of threads, connections and operations: an owner with much work does not delay others.
import { expect, test } from "vitest";
import { FairSemaphore, type SemaphoreSlots, type SlotOwner } from "#src/runtime/fair-semaphore.ts";

const nameOf = (owner: SlotOwner): string => (typeof owner === "string" ? owner : (owner[0] ?? ""));

/** A semaphore that records who enters, in order. */
function semaphoreOf(slots: SemaphoreSlots) {
  const semaphore = new FairSemaphore(slots);
  const entered: string[] = [];
  const ask = (owner: SlotOwner, weight = 1): void => {
    if (semaphore.tryTake(owner, weight)) entered.push(nameOf(owner));
    else void semaphore.take(owner, weight).then(() => entered.push(nameOf(owner)));
  };
  const give = async (owner: SlotOwner, weight = 1): Promise<void> => {
    semaphore.give(owner, weight);
    await Promise.resolve();
  };
  return { semaphore, entered, ask, give };
}

test("serves owners round-robin at one slot, however much work of one owner waits", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ most: 1 });
  for (const user of ["a", "a", "a", "a", "b", "b", "c"]) ask(user);
  expect([semaphore.waitingOf("a"), semaphore.waiting]).toEqual([3, 6]);
  for (let done = 0; done < 6; done++) await give(entered.at(-1) ?? "");
  expect(entered.join("")).toBe("abcabaa");
});

test("serves the owner with the fewest slots next", async () => {
  const { entered, ask, give } = semaphoreOf({ most: 3 });
  for (const user of ["a", "a", "b", "a", "b", "c"]) ask(user);
  await give("b");
  await give("a");
  expect(entered.join("")).toBe("aabcb");
});

test("limits each owner of the work to its share of the slots", async () => {
  const { entered, ask, give } = semaphoreOf({ most: 4, perOwner: 2 });
  ask(["a", "requests"]);
  ask(["b", "requests"]);
  ask(["c", "requests"]);
  ask("a");
  ask("a");
  expect(entered.join("")).toBe("aba");
  await give(["b", "requests"]);
  expect(entered.join("")).toBe("abac");
});

test("without a total limit an owner waits only for its own work, in order", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ perOwner: 2 });
  for (const user of ["a", "a", "a", "b", "b", "a"]) ask(user);
  expect([entered.join(""), semaphore.waitingOf("a"), semaphore.waitingOf("b")]).toEqual(["aabb", 2, 0]);
  await give("b");
  expect(entered.join("")).toBe("aabb");
  await give("a");
  expect(entered.join("")).toBe("aabba");
  for (const user of ["a", "a", "a", "b"]) await give(user);
  expect([entered.join(""), semaphore.taken, semaphore.waiting]).toEqual(["aabbaa", 0, 0]);
});

test("gives the spare slot only to other owners while one owner has all slots", async () => {
  const { entered, ask, give } = semaphoreOf({ most: 2, spare: 1 });
  for (const user of ["a", "a", "a", "b", "b", "c"]) ask(user);
  expect(entered.join("")).toBe("aab");
  await give("a"); // two users have all two slots
  expect(entered.join("")).toBe("aab");
  await give("b");
  expect(entered.join("")).toBe("aabc");
});

test("an owner gets another slot only while more are free than it has, so that others find some", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ most: 10, perOwner: 4, keepsFree: true });
  for (const user of "abcdefgabc") ask(user);
  expect([entered.join(""), semaphore.waiting]).toEqual(["abcdefgab", 1]); // one is kept for an owner without any
  ask("h");
  expect(entered.at(-1)).toBe("h");
  await give("h");
  expect(entered.length).toBe(10);
  await give("g");
  expect(entered.at(-1)).toBe("c");
});

test("at most a third of the slots are additional ones of owners, so that many owners find one", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ most: 10, perOwner: 4, keepsFree: true });
  for (const user of "abcdef") for (let asked = 0; asked < 4; asked++) ask(user);
  expect([entered.join(""), semaphore.taken]).toEqual(["aaaabcdef", 9]);
  ask("g");
  expect(entered.at(-1)).toBe("g");
  await give("g");
  await give("a");
  expect(entered.join("").slice(10)).toBe("b");
});

test("lighter work overtakes heavier work of the same owner until that fits", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ most: 8, perOwner: 4 });
  ask("a", 2);
  ask("a", 3); // waits for room
  ask("a");
  ask("a");
  ask("a"); // waits
  expect([entered.length, semaphore.takenBy("a"), semaphore.waiting]).toEqual([3, 4, 2]);
  await give("a");
  expect([entered.length, semaphore.waiting]).toEqual([4, 1]);
  await give("a", 2);
  await give("a");
  expect([entered.length, semaphore.takenBy("a"), semaphore.waiting]).toEqual([5, 4, 0]);
});

test("ordered work does not overtake waiting work of the same weight", () => {
  const { semaphore, ask } = semaphoreOf({ most: 2, perOwner: 1 });
  ask("a");
  ask("a", 1 / 16);
  expect(semaphore.tryTake("a", 1 / 16)).toBe(false);
});

test("a lent slot is free for others but still counts for its owner", async () => {
  const { semaphore, entered, ask, give } = semaphoreOf({ most: 1, perOwner: 1 });
  ask("a");
  ask("b");
  semaphore.lend();
  await Promise.resolve();
  ask("a");
  expect(entered.join("")).toBe("ab");
  semaphore.reclaim();
  expect(semaphore.taken).toBe(2);
  await give("b");
  await give("a");
  expect(entered.join("")).toBe("aba");
});

test("an aborted waiter leaves the queue with the abort error", async () => {
  const semaphore = new FairSemaphore({ most: 4, perOwner: 2 });
  expect(semaphore.tryTake("a")).toBe(true);
  let abort = (_error: Error): void => {};
  let isForgotten = false;
  const heavy = semaphore.take("a", 2, (fail) => {
    abort = fail;
    return () => (isForgotten = true);
  });
  expect(semaphore.tryTake("a", 2)).toBe(false);
  abort(new Error("It is late."));
  await expect(heavy).rejects.toThrow("It is late.");
  expect([isForgotten, semaphore.waiting, semaphore.tryTake("a")]).toEqual([true, 0, true]);
  abort(new Error("Once more."));
  expect(semaphore.waiting).toBe(0);
});

test("run returns the slot when the work throws, and calls beforeWait only if it waits", async () => {
  const semaphore = new FairSemaphore({ most: 1 });
  const refuse = () => {
    throw new Error("Too many wait.");
  };
  await expect(semaphore.run("a", () => Promise.reject(new Error("failed")), refuse)).rejects.toThrow("failed");
  expect(semaphore.tryTake("a")).toBe(true);
  await expect(semaphore.run("a", () => Promise.resolve(), refuse)).rejects.toThrow("Too many wait.");
  expect([semaphore.taken, semaphore.waiting]).toEqual([1, 0]);
});

test("failAll rejects all waiters", async () => {
  const semaphore = new FairSemaphore({ most: 1 });
  expect(semaphore.tryTake("a")).toBe(true);
  const waiting = [semaphore.take("b"), semaphore.take("b"), semaphore.take(["c", "d"])];
  semaphore.failAll(new Error("It ends."));
  for (const one of waiting) await expect(one).rejects.toThrow("It ends.");
  expect([semaphore.waitingOf("b"), semaphore.waitingOf("d"), semaphore.waiting]).toEqual([0, 0, 0]);
});
