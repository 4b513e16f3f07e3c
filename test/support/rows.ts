// Building blocks of rows in tests: rows to be written together, and unique positions, instants and numbers.
import { generateKeyBetween } from "fractional-indexing";

export type { Rows } from "#src/demo/rows.ts";

const lastPositions = new Map<string, string>();

/** A fractional index after all earlier ones of the same parent, which any text may name. */
export function nextPosition(parent: string): string {
  const position = generateKeyBetween(lastPositions.get(parent) ?? null, null);
  lastPositions.set(parent, position);
  return position;
}

let minutes = 0;

/** An instant a minute after the previous one, from 5 January 2026 on: rows of a test have different ages. */
export function nextInstant(): Date {
  return new Date(Date.UTC(2026, 0, 5, 9, minutes++));
}

let count = 0;

/** A number that is unique in this process. */
export function nextNumber(): number {
  return ++count;
}
