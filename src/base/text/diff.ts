// The differences of two texts: changed lines, and hunks with context as a change request shows them.
import { type Change, changesBetween, type Effort, linesOf } from "#src/base/text/lines.ts";

/** One line of a hunk, with its line break. */
export interface DiffLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/** Neighbouring changes with unchanged lines around them. Starts count from 1, or 0 on a side without lines before. */
export interface DiffHunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly DiffLine[];
}

/** The lines of a hunk that are not of this kind: without the added ones, those of the earlier text. */
export const linesWithout = ({ lines }: DiffHunk, kind: DiffLine["kind"]): string =>
  lines.map((line) => (line.kind === kind ? "" : line.text)).join("");

/** The changes between two texts; one change of everything if they differ too much. May take seconds. */
export function compareTexts(before: string, after: string): readonly Change[] {
  const whole = { from: 0, to: linesOf(before).length, otherFrom: 0, otherTo: linesOf(after).length };
  return compareWith("full", before, after) ?? [whole];
}

/** As {@link compareTexts} within milliseconds; undefined for texts that need longer. */
export const compareQuickly = (before: string, after: string): readonly Change[] | undefined =>
  compareWith("quick", before, after);

const compareWith = (effort: Effort, before: string, after: string): readonly Change[] | undefined =>
  before === after ? [] : changesBetween(linesOf(before), linesOf(after), effort);

/** The hunks of changes, with `context` lines around each. */
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
