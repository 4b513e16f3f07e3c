// The clock that all code uses, and timestamps of the database as text.

/** The current time. Tests use their own. */
export interface Clock {
  now(): Date;
  /** By how many seconds the machine's clock is ahead of this one. */
  readonly machineAheadSeconds?: number;
  /** Whether the two clocks differ by at most a minute. */
  readonly isMachineRight?: boolean;
}

export const systemClock: Clock = { now: () => new Date() };

/** An instant as ISO 8601 text in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`. */
export type Instant = string;

/** `2026-01-31 09:30:00.5+00` (timestamptz(3) in UTC) as an {@link Instant}, ten times faster than by a Date. */
export function instantFromPostgres(text: string): Instant {
  const end = text.length - 3; // without "+00"
  const fraction = end > 19 ? text.slice(20, end).padEnd(3, "0") : "000";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}
