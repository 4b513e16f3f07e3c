// Exponential backoff: the waits between tries of something that fails.

/** The first and the longest wait, and how many times as long as the one before each wait is; 2 by default. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly factor?: number;
}

/** How long to wait, in milliseconds, after so many failures in a row, counted from 1. */
export function backoffMs({ firstMs, mostMs, factor = 2 }: Backoff, failures: number): number {
  return Math.min(mostMs, firstMs * factor ** Math.max(0, failures - 1));
}

/** When the next try is due. */
export function nextTryAt(backoff: Backoff, { failures, now }: { failures: number; now: Date }): Date {
  return new Date(now.getTime() + backoffMs(backoff, failures));
}
