// The size of long tests (properties, whole books, kills, installs): a part of it in
// `npm test`, and all of it in `npm run prove -- --only sizes`, which runs every test file that imports this one.

/** `RUNS=1` is the full size, `RUNS=50` runs 50 times as often. */
const scale = Number(process.env["RUNS"] ?? 0.1);

/** Whether tests run at their full size, or at more. */
export const isFullSize = scale >= 1;

/** The number of runs of a test that has `full` of them at full size, and at least `least` at any size. */
export const runs = (full: number, least = 2): number => Math.max(least, Math.ceil(full * scale));

/** Every item at full size; otherwise an evenly spread part, and those for which `isKept` is true. */
export function someOf<Item>(all: readonly Item[], isKept: (item: Item) => boolean = () => false): Item[] {
  const step = Math.max(1, Math.round(1 / scale));
  return all.filter((item, index) => index % step === 0 || isKept(item));
}

/** A small or full size, where a share does not fit. */
export const sized = <Size>(small: Size, full: Size): Size => (isFullSize ? full : small);

/** All items at full size; otherwise those of this turn, so that each item has one of `turns` turns. */
export const inTurn = <Item>(all: readonly Item[], turn: number, turns = 2): readonly Item[] =>
  isFullSize ? all : all.filter((_item, index) => index % turns === turn);
