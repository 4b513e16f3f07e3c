// The order of what stands on a site, kept in fractional indexes: only what has moved gets a new one.
import { generateNKeysBetween } from "fractional-indexing";

/** Something in an order; what is new there has no position yet. */
export interface Ordered {
  readonly id: string;
  readonly position: string | null;
}

/** A longer index comes only from very many moves to one spot; then all are numbered anew. */
const longest = 64;

/** The position of each, so that positions sort in this order. As few as possible differ from those that they have. */
export function positionsOf(items: readonly Ordered[]): ReadonlyMap<string, string> {
  const kept = longestRise(items);
  const positions = new Map<string, string>();
  try {
    let before: string | null = null;
    let waiting: string[] = [];
    const place = (after: string | null) => {
      const keys = generateNKeysBetween(before, after, waiting.length);
      waiting.forEach((id, index) => positions.set(id, keys[index] ?? ""));
      waiting = [];
    };
    for (const { id, position } of items) {
      if (position === null || !kept.has(id)) waiting.push(id);
      else {
        place(position);
        positions.set(id, (before = position));
      }
    }
    place(null);
    if ([...positions.values()].every((position) => position.length <= longest)) return positions;
  } catch {
    // There are positions that are no fractional indexes.
  }
  const keys = generateNKeysBetween(null, null, items.length);
  return new Map(items.map(({ id }, index) => [id, keys[index] ?? ""]));
}

/** Ids of the most items whose positions rise in this order. */
function longestRise(items: readonly Ordered[]): ReadonlySet<string> {
  interface Step {
    readonly id: string;
    readonly position: string;
    readonly before: Step | undefined;
  }
  const ends: Step[] = []; // at `n`, the rise of n + 1 items that ends lowest
  for (const { id, position } of items) {
    if (position === null) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.position ?? "") < position) low = middle + 1;
      else high = middle;
    }
    ends[low] = { id, position, before: ends[low - 1] };
  }
  const kept = new Set<string>();
  for (let step = ends.at(-1); step; step = step.before) kept.add(step.id);
  return kept;
}
