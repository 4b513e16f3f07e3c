// Spans of time as people write them on a command line.

const hours = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };

/** Milliseconds of `12h`, `30d`, `2w` or `1y` (of 365 days); undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([hdwy])$/.exec(text) ?? [];
  if (!count || !unit) return undefined;
  return Number(count) * hours[unit as keyof typeof hours] * 3_600_000; // the pattern admits these letters only
}
