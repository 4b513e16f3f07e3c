// When an event is tried again that could not be handled.
import { type Backoff, backoffMs } from "#src/runtime/backoff.ts";

/** How long an event is tried for, in milliseconds, from when it was made. */
const givenUpAfterMs = 24 * 3_600_000;
const backoff: Backoff = { firstMs: 5_000, mostMs: 3_600_000 };

/**
 * When an event is tried again after this many tries; null when it is given up. Waits double from 5 seconds to an hour;
 * the last try is at the end of the 24 hours.
 */
export function nextTry(tries: number, { createdAt, now }: { createdAt: Date; now: Date }): Date | null {
  const end = createdAt.getTime() + givenUpAfterMs;
  if (now.getTime() >= end) return null;
  return new Date(Math.min(now.getTime() + backoffMs(backoff, tries), end));
}
