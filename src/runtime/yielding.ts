// Pauses of long work in the process: it shares a few milliseconds of each turn of the event loop, one piece a turn.
import { setImmediate as nextTurn } from "node:timers/promises";

/** For how long, in milliseconds, such work goes on in one turn. */
const sliceMs = 8;

/** When the first work of this turn began, by `performance.now()`; null before there is some. */
let begun: number | null = null;

const waiting: (() => void)[] = [];

/** Whether long work has had its share of this turn, so that it is to {@link pause}. */
export function isPauseDue(): boolean {
  const now = performance.now();
  if (begun === null) {
    begun = now;
    planTurn();
  }
  return now - begun > sliceMs;
}

/** Waits until everything else has had its turn, and those who paused before. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    planTurn();
  });
}

let isPlanned = false;

/** Once: what is planned twice would go on twice before anything else. */
function planTurn(): void {
  if (isPlanned) return;
  isPlanned = true;
  setImmediate(turn);
}

function turn(): void {
  isPlanned = false;
  begun = null;
  waiting.shift()?.();
  if (waiting.length > 0) planTurn();
}

/** A long list of promises: an item is there when the one before has been looked at, or a turn later. */
export class PausingList<Item> implements Iterable<Promise<Item>> {
  readonly items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  *[Symbol.iterator](): Iterator<Promise<Item>> {
    let before: Promise<unknown> = Promise.resolve();
    for (const item of this.items) {
      const next = before.then(() => (isPauseDue() ? pause().then(() => item) : item));
      before = next;
      yield next;
    }
  }
}

/** The list, so that GraphQL pauses while it goes through it, where it is long. */
export function pausing<List>(list: List): List | PausingList<unknown> {
  return Array.isArray(list) && list.length >= 100 ? new PausingList<unknown>(list) : list;
}

/** Yields each item in a turn of its own, for streams whose readers would take all at once. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) {
    yield item;
    await nextTurn();
  }
}
