// Which lines differ between two texts, found and placed as git does it. Every diff and merge of texts
// starts here.
import { diffArrays } from "diff";

/** Lines [from, to) of the one text became lines [otherFrom, otherTo) of the other. Changes never touch each other. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly otherFrom: number;
  readonly otherTo: number;
}

/**
 * How long the shortest difference is searched, which costs lines times differences: in `lines` of both texts and
 * differences (`maxEditLength`), which give the same result on every machine, and in milliseconds (`timeout`), which
 * only protect a very slow one.
 */
export type Effort = "quick" | "full";
const efforts = {
  /** What the edits of people need; the process does nothing else meanwhile. */
  quick: { lines: 10_000, maxEditLength: 100, timeout: 1_000 },
  full: { lines: Infinity, maxEditLength: 2_000, timeout: 5_000 },
} as const satisfies Record<Effort, object>;

/** The lines of a text, each with its line break; the last one may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The changes from one list of lines to another, in order; undefined when the effort does not suffice: the full one
 * does not where more than 2,000 lines that both have were put in another order. Lines that only one text has cost
 * nothing, so a rewritten document is not such a case.
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

/** Marks the lines that are not in a longest common sequence; false when the search was given up. */
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

/** How many lines are equal at the start and, behind these, at the end. */
function equalEnds(one: Uint32Array, other: Uint32Array): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}

/** Places of the lines that the other side has too: only these can match. */
function sharedLines(lines: Uint32Array, others: Uint32Array, kinds: number): number[] {
  const isThere = new Uint8Array(kinds);
  for (const line of others) isThere[line] = 1;
  const shared: number[] = [];
  for (const [at, line] of lines.entries()) if (isThere[line]) shared.push(at);
  return shared;
}

/** A run of changed lines, empty between two unchanged ones that follow each other. */
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

  /** Moves the run one line up, where that describes the same change; runs that meet become one. */
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

/**
 * Where a change can be described in several places (one more of several equal lines), puts it beside a change of the
 * other text if there is one, else as far down as possible. This is git's rule, so that changes touch as they do there.
 */
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
