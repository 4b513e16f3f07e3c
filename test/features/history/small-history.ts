// A small history for tests.
import type { History } from "#src/history/history-file.ts";

/** A day of January 2026. */
export const day = (number: number) => new Date(Date.UTC(2026, 0, number));

/** Two edits around the start of a change request, and two change requests without numbers. */
export function smallHistory(): History {
  const edit = (subject: string, number: number) => ({
    kind: "edit" as const,
    subject,
    author: "Zoë Adler",
    date: day(number),
    after: {},
  });
  const change = (subject: string, author: string, startedAfter: number, number: number) => ({
    kind: "changeRequest" as const,
    subject,
    author,
    startedAfter,
    date: day(number),
    after: {},
    edits: {},
    merges: "cleanly" as const,
  });
  const steps = [
    edit("Before it starts", 1),
    edit("While it is open", 2),
    change("Made out of sight", "Bo", 0, 3),
    { ...change("Numbered", "Bo", 3, 4), number: 7 },
    edit("Too late", 5),
  ];
  return { start: {}, steps, end: {}, blobs: {} };
}
