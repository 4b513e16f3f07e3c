// What rows of tests are made with: rows to be written together, and positions, instants and numbers given out once.
import { generateKeyBetween } from "fractional-indexing";

export type { Rows } from "#src/demo/rows.ts";

const lastPositions = new Map<string, string>();

/** A fractional index after all that were given out for the same parent, which any text may name. */
export function nextPosition(parent: string): string {
  const position = generateKeyBetween(lastPositions.get(parent) ?? null, null);
  lastPositions.set(parent, position);
  return position;
}

let minutes = 0;

/** An instant a minute after the one before, from the 5th of January 2026 on: no two rows of a test are equally old. */
export function nextInstant(): Date {
  return new Date(Date.UTC(2026, 0, 5, 9, minutes++));
}

let count = 0;

/** A number that is given out once in this process, for what has to be unique. */
export function nextNumber(): number {
  return ++count;
}
