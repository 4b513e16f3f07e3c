// The demo's calendar: all of its dates are counted from one fixed Monday, so that every demo has the same story.

const firstDay = Date.UTC(2026, 2, 2); // Monday, 2 March 2026
const dayLength = 24 * 60 * 60 * 1000;

/** The instant of a time of day (`HH:MM`, UTC) on a day of the story, where 0 is the first. */
export function at(day: number, time = "9:00"): Date {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return new Date(firstDay + day * dayLength + (hours * 60 + minutes) * 60_000);
}

/** Whether a text names an instant: a day of the story and a time of day, such as `12 9:05`. */
export const isInstant = (text: string): boolean => /^\d+ \d\d?:\d\d$/.test(text);

/** The instant that such a text names. */
export function instantOf(text: string): Date {
  const [day, time] = text.split(" ");
  return at(Number(day), time);
}
