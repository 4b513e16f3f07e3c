// The queue in front of threads: whoever has much work in it is in nobody's way.
import { expect, test } from "vitest";
import { FairQueue } from "#src/runtime/fair-semaphore.ts";

/** A queue that writes down who enters, in their order. */
function queueOf(places: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(places);
  const entered: string[] = [];
  const ask = (...owners: string[]): void => {
    if (queue.tryTake(owners)) entered.push(owners[0] ?? "");
    else void queue.take(owners).then(() => entered.push(owners[0] ?? ""));
  };
  const give = async (...owners: string[]): Promise<void> => {
    queue.give(owners);
    await Promise.resolve();
  };
  return { queue, entered, ask, give };
}

test("users take turns at one place, whoever came first with how much", async () => {
  const { queue, entered, ask, give } = queueOf({ places: 1 });
  for (const user of ["a", "a", "a", "a", "b", "b", "c"]) ask(user);
  expect(queue.waitingOf("a")).toBe(3);
  for (let done = 0; done < 6; done++) await give(entered.at(-1) ?? "");
  expect(entered.join("")).toBe("abcabaa");
});

test("who has the fewest at the moment is next", async () => {
  const { entered, ask, give } = queueOf({ places: 3 });
  for (const user of ["a", "a", "b", "a", "b", "c"]) ask(user);
  await give("b");
  await give("a");
  expect(entered.join("")).toBe("aabcb");
});

test("one owner has at most so many, of all that the work belongs to", async () => {
  const { entered, ask, give } = queueOf({ places: 4, ofOne: 2 });
  ask("a", "requests");
  ask("b", "requests");
  ask("c", "requests");
  ask("a");
  ask("a");
  expect(entered.join("")).toBe("aba");
  await give("b", "requests");
  expect(entered.join("")).toBe("abac");
});

test("there is a place more for the others while one has all, and only then", async () => {
  const { entered, ask, give } = queueOf({ places: 2, spare: 1 });
  for (const user of ["a", "a", "a", "b", "b", "c"]) ask(user);
  expect(entered.join("")).toBe("aab");
  await give("a"); // two users have two places: that is all of them
  expect(entered.join("")).toBe("aab");
  await give("b");
  expect(entered.join("")).toBe("aabc");
});

test("all who wait are refused at the end", async () => {
  const { queue, ask } = queueOf({ places: 1 });
  ask("a");
  const waiting = queue.take(["b"]);
  queue.refuseAll(new Error("It ends."));
  await expect(waiting).rejects.toThrow("It ends.");
  expect(queue.waitingOf("b")).toBe(0);
});
