// Has what is too slow end sooner, where a test waits for nothing else.
import { onTestFinished, vi } from "vitest";

/** Until the test ends, time limits are shorter by this factor. */
export function divideLimits(by: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((milliseconds) => timeout(Math.ceil(milliseconds / by)));
  onTestFinished(() => spy.mockRestore());
}
