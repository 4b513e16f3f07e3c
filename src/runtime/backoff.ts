// Exponential backoff: the waits between retries.

/** The first and the longest wait, and the factor between a wait and the next one, by default 2. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly factor?: number;
}

/** How long to wait, in milliseconds, after a number of consecutive failures, counted from 1. */
export function backoffMs({ firstMs, mostMs, factor = 2 }: Backoff, failures: number): number {
  return Math.min(mostMs, firstMs * factor ** Math.max(0, failures - 1));
}

/** When the next retry is due. */
export function nextTryAt(backoff: Backoff, { failures, now }: { failures: number; now: Date }): Date {
  return new Date(now.getTime() + backoffMs(backoff, failures));
}
