// Warnings of a failure that repeats do not fill the log.
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import type { StoredEvent } from "#src/events/event.ts";
import type { FeedListener } from "#src/events/event-log.ts";
import { EventFollower } from "#src/events/follower.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";

test("a failure that repeats is logged once a minute, with the number of those since", () => {
  let minute = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => minute * 60_000);
  const lines: unknown[] = [];
  const warning = new RepeatedWarning({ warn: (...line: unknown[]) => void lines.push(line) }, "It failed");
  const error = new Error("no luck");
  for (minute = 0; minute < 2.5; minute += 0.25) warning.log(error);
  clock.mockRestore();
  expect(lines).toEqual([
    [{ err: error }, "It failed"],
    [{ err: error, failuresBefore: 3 }, "It failed"],
    [{ err: error, failuresBefore: 3 }, "It failed"],
  ]);
});

test("an event follower whose work keeps failing logs it once, not per event", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const run = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("no luck")));
  const follower = new EventFollower(log, { find: () => ["found"], run, failed: "Following failed" });
  const listeners: FeedListener[] = [];
  follower.start({
    listen(listener) {
      listeners.push(listener);
      return () => {};
    },
  });
  for (let count = 0; count < 3; count += 1) {
    for (const receive of listeners) await receive([{} as StoredEvent]); // only counted
    await turn(); // the run has ended
  }
  expect(run).toHaveBeenCalledTimes(3);
  expect(lines).toHaveLength(1);
});
