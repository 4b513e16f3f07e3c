// Line differences of two texts, found and placed as git does; every diff and merge starts here.
import { diffArrays } from "diff/lib/diff/array.js";

/** Lines [from, to) of one text became [otherFrom, otherTo) of the other. Changes never touch. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly otherFrom: number;
  readonly otherTo: number;
}

/** The limits of a search: `lines` and differences, equal on every machine, and `timeout` (ms) for slow ones. */
export type Effort = "quick" | "full";
const efforts = {
  /** Enough for edits of people; the process does nothing else meanwhile. */
  quick: { lines: 10_000, maxEditLength: 100, timeout: 1_000 },
  full: { lines: Infinity, maxEditLength: 2_000, timeout: 5_000 },
} as const satisfies Record<Effort, object>;

/** Lines with their line breaks; the last may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The changes from one list of lines to another, in order; undefined if the effort does not suffice: the full one fails
 * if more than 2,000 common lines were reordered. Lines of one text only are free, as in a rewritten document.
 */
export function changesBetween(
  before: readonly string[],
  after: readonly string[],
  effort: Effort = "full",
): Change[] | undefined {
  if (before.length + after.length > efforts[effort].lines) return undefined;
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Uint32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size;
      if (number === numbers.size) numbers.set(line, number);
      return number;
    });
  const one = { lines: numbered(before), isChanged: new Uint8Array(before.length) };
  const other = { lines: numbered(after), isChanged: new Uint8Array(after.length) };
  if (!markChanges(one, other, { kinds: numbers.size, effort })) return undefined;
  slideChanges(one, other);
  slideChanges(other, one);
  return changesOf(one, other);
}

interface Side {
  readonly lines: Uint32Array;
  readonly isChanged: Uint8Array;
}

/** Marks the lines outside a longest common sequence; false if the search was given up. */
function markChanges(one: Side, other: Side, { kinds, effort }: { kinds: number; effort: Effort }): boolean {
  const { start, end } = equalEnds(one.lines, other.lines);
  const between = ({ lines }: Side) => lines.subarray(start, lines.length - end);
  const [lines, otherLines] = [between(one), between(other)];
  const [shared, otherShared] = [sharedLines(lines, otherLines, kinds), sharedLines(otherLines, lines, kinds)];
  const found = diffArrays(
    shared.map((at) => lines[at]),
    otherShared.map((at) => otherLines[at]),
    efforts[effort],
  );
  if (!found) return false;
  one.isChanged.fill(1, start, start + lines.length);
  other.isChanged.fill(1, start, start + otherLines.length);
  let [at, otherAt] = [0, 0];
  for (const { added, removed, count } of found) {
    if (!added && !removed) {
      for (const place of shared.slice(at, at + count)) one.isChanged[start + place] = 0;
      for (const place of otherShared.slice(otherAt, otherAt + count)) other.isChanged[start + place] = 0;
    }
    if (!added) at += count;
    if (!removed) otherAt += count;
  }
  return true;
}

/** The number of equal lines at the start and, behind these, at the end. */
function equalEnds(one: Uint32Array, other: Uint32Array): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}

/** The indexes of lines that the other side has, too: only these can match. */
function sharedLines(lines: Uint32Array, others: Uint32Array, kinds: number): number[] {
  const isThere = new Uint8Array(kinds);
  for (const line of others) isThere[line] = 1;
  const shared: number[] = [];
  for (const [at, line] of lines.entries()) if (isThere[line]) shared.push(at);
  return shared;
}

/** A run of changed lines; empty between adjacent unchanged lines. */
class Run {
  readonly side: Side;
  start = 0;
  end = 0;

  constructor(side: Side) {
    this.side = side;
    this.#grow();
  }

  #grow(): void {
    while (this.side.isChanged[this.start - 1]) this.start--;
    while (this.side.isChanged[this.end]) this.end++;
  }

  next(): boolean {
    if (this.end >= this.side.lines.length) return false;
    this.start = this.end += 1;
    while (this.side.isChanged[this.end]) this.end++;
    return true;
  }

  previous(): void {
    this.end = this.start -= 1;
    while (this.side.isChanged[this.start - 1]) this.start--;
  }

  /** Moves the run up one line if that is the same change; runs that meet become one. */
  slideUp(): boolean {
    const { lines, isChanged } = this.side;
    if (this.start === 0 || lines[this.start - 1] !== lines[this.end - 1]) return false;
    isChanged[--this.start] = 1;
    isChanged[--this.end] = 0;
    while (isChanged[this.start - 1]) this.start--;
    return true;
  }

  slideDown(): boolean {
    const { lines, isChanged } = this.side;
    if (this.end >= lines.length || lines[this.start] !== lines[this.end]) return false;
    isChanged[this.start++] = 0;
    isChanged[this.end++] = 1;
    while (isChanged[this.end]) this.end++;
    return true;
  }
}

/** Places an ambiguous change beside one of the other text, else as far down as possible: git's rule. */
function slideChanges(side: Side, otherSide: Side): void {
  const run = new Run(side);
  const other = new Run(otherSide);
  do {
    if (run.end > run.start) slide(run, other);
    other.next();
  } while (run.next());
}

function slide(run: Run, other: Run): void {
  let size: number;
  let meeting: number;
  let highest: number;
  do {
    size = run.end - run.start;
    meeting = -1;
    while (run.slideUp()) other.previous();
    highest = run.end;
    if (other.end > other.start) meeting = run.end;
    while (run.slideDown()) {
      other.next();
      if (other.end > other.start) meeting = run.end;
    }
  } while (size !== run.end - run.start);
  if (run.end === highest || meeting === -1) return;
  while (other.end === other.start && run.slideUp()) other.previous();
}

function changesOf(one: Side, other: Side): Change[] {
  const changes: Change[] = [];
  let [at, otherAt] = [0, 0];
  while (at < one.lines.length || otherAt < other.lines.length) {
    const [from, otherFrom] = [at, otherAt];
    while (one.isChanged[at]) at++;
    while (other.isChanged[otherAt]) otherAt++;
    if (at > from || otherAt > otherFrom) changes.push({ from, to: at, otherFrom, otherTo: otherAt });
    at++;
    otherAt++;
  }
  return changes;
}
