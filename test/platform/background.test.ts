// Work beside requests: what a leaving process ends at once, and what requests wait for.
import { expect, test } from "vitest";
import { Background } from "#src/jobs/background.ts";

/** Work that ends when it is released, or as `stopping` aborts. */
function makeWork() {
  const { promise, resolve } = Promise.withResolvers<{ readonly value: string }>();
  const work = (stopping: AbortSignal) => {
    stopping.addEventListener("abort", () => resolve({ value: "left" }));
    return promise;
  };
  return { work, finish: () => resolve({ value: "done" }) };
}

test("leaving ends only work that another process can continue and no request waits for", async () => {
  const background = new Background();
  const [left, awaited, own] = [makeWork(), makeWork(), makeWork()];
  const running = background.runResumable(left.work);
  const answer = background.waitFor(background.runResumable(awaited.work));
  const kept = background.run(own.work);
  await background.leave();
  expect(await running).toEqual({ value: "left" });
  for (const { finish } of [awaited, own]) finish();
  expect([await answer, await kept]).toEqual([{ value: "done" }, { value: "done" }]);
});

test("leaving ends work whose request has stopped waiting", async () => {
  const background = new Background({ patienceMs: 1 });
  const running = background.runResumable(makeWork().work);
  expect(await background.waitFor(running)).toBe(null);
  await background.leave();
  expect(await running).toEqual({ value: "left" });
});

test("closing ends all work, also what was begun after leaving", async () => {
  const background = new Background();
  await background.leave();
  const answer = background.waitFor(background.runResumable(makeWork().work));
  const kept = background.run(makeWork().work);
  await background.close();
  expect([await answer, await kept]).toEqual([{ value: "left" }, { value: "left" }]);
});
