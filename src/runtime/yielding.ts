// Pauses of long work in the process: it shares a millisecond of each turn of the event loop, one piece a turn.
import { setImmediate as nextTurn } from "node:timers/promises";
import { currentTenant } from "#src/runtime/tenant.ts";

/** For how long, in milliseconds, such work continues in one turn: a small request waits for some turns. */
const sliceMs = 1;

/** When the first work of this turn started, by `performance.now()`; null before. */
let begun: number | null = null;

const waiting: (() => void)[] = [];

/** Whether long work has had its share of this turn, so that it must {@link pause}. */
export function isPauseDue(): boolean {
  const now = performance.now();
  if (begun === null) {
    begun = now;
    planTurn();
  }
  return now - begun > sliceMs;
}

/**
 * Waits until everything else has had its turn, and work that paused earlier. Work of a user who has used much time
 * leaves the processor for a rest: what others ask of the database takes it meanwhile.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const join = (): void => {
      waiting.push(resolve);
      planTurn();
    };
    const rest = currentTenant().restFor(sliceMs);
    if (rest > 0) setTimeout(join, rest);
    else join();
  });
}

let isPlanned = false;

/** Scheduled once: two immediates would continue twice before anything else. */
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

/** A long list of promises: an item resolves when the previous one was processed, or a turn later. */
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

/** The list; a long one makes GraphQL pause while it iterates. */
export function pausing<List>(list: List): List | PausingList<unknown> {
  return Array.isArray(list) && list.length >= 100 ? new PausingList<unknown>(list) : list;
}

/** Yields each item in a separate turn, for streams whose readers would take all at once. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) {
    yield item;
    await nextTurn();
  }
}
