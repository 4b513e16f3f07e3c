// Warnings of a failure that repeats do not fill the log.
import { expect, test, vi } from "vitest";
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
