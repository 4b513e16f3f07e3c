// Lowers limits, for tests whose path to the limit is uniform.
import { onTestFinished, vi } from "vitest";
import { Budget } from "#src/db/connection/budget.ts";

/** Until the test ends, time limits are shorter by this factor. */
export function divideLimits(by: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((milliseconds) => timeout(Math.ceil(milliseconds / by)));
  onTestFinished(() => spy.mockRestore());
}

/** Counts each row of an operation as several; the returned function undoes this. */
export function multiplyRows(by: number): () => void {
  const takeRows = Reflect.get(Budget.prototype, "takeRows") as (this: Budget, count: number, fields: number) => void;
  const spy = vi.spyOn(Budget.prototype, "takeRows").mockImplementation(function take(this: Budget, count, fields) {
    takeRows.call(this, by * count, fields);
  });
  return () => spy.mockRestore();
}
