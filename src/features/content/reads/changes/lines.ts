// How two texts of a content differ, line by line. Results are kept, and other requests are served meanwhile.
import { setImmediate as turn } from "node:timers/promises";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { compareTexts, type DiffHunk, hunksOf } from "#src/base/text/diff.ts";
import type { Change } from "#src/base/text/lines.ts";
import type { Context } from "#src/domain/context.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";

/** Two different states of a text, by their hashes; null for an empty one. */
export interface TextPair {
  readonly before: string | null;
  readonly after: string | null;
}

/** 16 MB of results; a change is an object of four numbers. */
const remembered = new BoundedMap<string, readonly Change[]>(16 * 1024 * 1024, (changes) => 200 + 64 * changes.length);

/** The comparisons that run or wait, by the key of the pair. */
const running = new Map<string, Promise<readonly Change[]>>();
let last: Promise<unknown> = Promise.resolve();

/** One comparison after the other, and other work of the process in between: one of them can take half a second. */
function compareInTurn(key: string, before: string, after: string): Promise<readonly Change[]> {
  const comparison = last.then(() => turn()).then(() => compareTexts(before, after));
  running.set(key, comparison);
  last = comparison
    .then((changes) => remembered.keep(key, changes))
    .catch(() => {}) // those who wait for the comparison get the error
    .finally(() => running.delete(key));
  return comparison;
}

/** The changes between two texts. Throws INVALID_INPUT when the operation asks for too much text. */
async function lineChanges(context: Context, { before, after }: TextPair): Promise<readonly Change[]> {
  const key = `${before} ${after}`;
  const known = remembered.get(key);
  if (known) return known;
  const [was, is] = await Promise.all([readText(context, before), readText(context, after)]);
  return running.get(key) ?? compareInTurn(key, was, is);
}

/** How many lines came and went. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** How many lines came and went in all pairs together. Throws INVALID_INPUT beyond 64 MB of text. */
export async function countLines(context: Context, pairs: readonly TextPair[]): Promise<LineCounts> {
  const changes = await Promise.all(pairs.map((pair) => lineChanges(context, pair)));
  let [added, removed] = [0, 0];
  for (const { from, to, otherFrom, otherTo } of changes.flat()) {
    added += otherTo - otherFrom;
    removed += to - from;
  }
  return { added, removed };
}

/** The most lines that the hunks of one text have. */
export const hunkLineLimit = 20_000;

/**
 * The hunks from one text to another with `around` unchanged lines around each; null when they have more than
 * {@link hunkLineLimit} lines. Throws INVALID_INPUT beyond 64 MB of text; lines count against the row limit.
 */
export async function readHunks(context: Context, pair: TextPair, around: number): Promise<DiffHunk[] | null> {
  const [before, after] = await Promise.all([readText(context, pair.before), readText(context, pair.after)]);
  const hunks = hunksOf(before, after, await lineChanges(context, pair), around);
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count > hunkLineLimit) return null;
  context.reader.takeRows(count);
  for (const { lines } of hunks) for (const { text } of lines) context.reader.handOut(text);
  return hunks;
}
