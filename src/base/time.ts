// Time: the clock that all code asks, and the text form of timestamps that the database gives.

/** Says what time it is. Tests use their own. */
export interface Clock {
  now(): Date;
  /** By how many seconds the clock of the machine is ahead of this one, where they may differ. */
  readonly machineAheadSeconds?: number;
  /** False when they differ by more than a minute. */
  readonly isMachineRight?: boolean;
}

export const systemClock: Clock = { now: () => new Date() };

/** An instant as ISO 8601 text in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`. */
export type Instant = string;

/**
 * Turns PostgreSQL's text of a `timestamptz(3)` in UTC (`2026-01-31 09:30:00.5+00`) into an {@link Instant}.
 * Cutting text is some ten times cheaper than parsing a Date and printing it again.
 */
export function instantFromPostgres(text: string): Instant {
  const end = text.length - 3; // without "+00"
  const fraction = end > 19 ? text.slice(20, end).padEnd(3, "0") : "000";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}
