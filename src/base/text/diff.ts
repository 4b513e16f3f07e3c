// How two states of a text differ: which lines, and as hunks with some lines around them, as a change request shows an
// edited page.
import { type Change, changesBetween, type Effort, linesOf } from "#src/base/text/lines.ts";

/** One line of a hunk, with its line break. */
export interface DiffLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/**
 * Changes close to each other, with the unchanged lines around them. Starts count from 1; where a side has no lines,
 * its start is the line before the hunk, which is 0 at the top: as in unified diffs.
 */
export interface DiffHunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly DiffLine[];
}

/**
 * The changes that lead from one text to the other, in order; none for equal texts. Texts that are too far apart to be
 * compared line by line (see `changesBetween`) give one change that replaces everything. Takes some seconds for texts
 * made to be slow to compare.
 */
export function compareTexts(before: string, after: string): readonly Change[] {
  const whole = { from: 0, to: linesOf(before).length, otherFrom: 0, otherTo: linesOf(after).length };
  return compareWith("full", before, after) ?? [whole];
}

/** The same within some milliseconds; undefined for texts that need more. */
export const compareQuickly = (before: string, after: string): readonly Change[] | undefined =>
  compareWith("quick", before, after);

const compareWith = (effort: Effort, before: string, after: string): readonly Change[] | undefined =>
  before === after ? [] : changesBetween(linesOf(before), linesOf(after), effort);

/** The hunks of two texts and their changes, in order, with `context` lines around each. */
export function hunksOf(before: string, after: string, changes: readonly Change[], context: number): DiffHunk[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (change.from - (last?.at(-1)?.to ?? -Infinity) <= 2 * context) last?.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => hunkOf(group, old, young, context));
}

function hunkOf(
  changes: readonly Change[],
  old: readonly string[],
  young: readonly string[],
  context: number,
): DiffHunk {
  const lines: DiffLine[] = [];
  const add = (kind: DiffLine["kind"], texts: readonly string[]) =>
    lines.push(...texts.map((text) => ({ kind, text })));
  const first = changes[0];
  const start = Math.max(0, (first?.from ?? 0) - context);
  const afterStart = (first?.otherFrom ?? 0) - ((first?.from ?? 0) - start);
  let at = start;
  for (const { from, to, otherFrom, otherTo } of changes) {
    add("context", old.slice(at, from));
    add("removed", old.slice(from, to));
    add("added", young.slice(otherFrom, otherTo));
    at = to;
  }
  add("context", old.slice(at, at + context));
  const countWithout = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind !== kind).length;
  const [beforeLines, afterLines] = [countWithout("added"), countWithout("removed")];
  return {
    beforeStart: beforeLines > 0 ? start + 1 : start,
    beforeLines,
    afterStart: afterLines > 0 ? afterStart + 1 : afterStart,
    afterLines,
    lines,
  };
}
