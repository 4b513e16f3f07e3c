// How two states of a document differ, as line hunks with some lines around them: what a change request shows of an edited page.
import { type Change, changesBetween, linesOf } from "#src/features/content/commands/merge/lines.ts";

/** One line of a hunk, with its line break. */
export interface DiffLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/** Changes close to each other, with the unchanged lines around them. Starts count from 1, as in a unified diff. */
export interface DiffHunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly DiffLine[];
}

/**
 * The hunks that lead from one text to the other, in order; none for equal texts. Texts that are too far apart to be compared line by line
 * (see `changesBetween`) give one hunk that replaces everything.
 */
export function diffText(before: string, after: string, context = 3): DiffHunk[] {
  if (before === after) return [];
  const [old, young] = [linesOf(before), linesOf(after)];
  const everything = [{ from: 0, to: old.length, otherFrom: 0, otherTo: young.length }];
  const changes = changesBetween(old, young) ?? everything;
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
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind !== kind).length;
  return {
    beforeStart: start + 1,
    beforeLines: count("added"),
    afterStart: afterStart + 1,
    afterLines: count("removed"),
    lines,
  };
}
