// Which of some things in a new order were not moved: as many as can be, so that one that was moved is told as one.

/**
 * The members of a longest increasing subsequence of `places` (patience sorting, n log n), as a flag for each. Places of things in their old order,
 * listed in the new one, give the things that stayed in order; putting the others where they belong gives the new order.
 */
export function staysInOrder(places: readonly number[]): boolean[] {
  /** For each length, where the subsequence of that length ends that has the smallest end. */
  const ends: number[] = [];
  const previous = new Int32Array(places.length).fill(-1);
  for (const [at, place] of places.entries()) {
    const length = countBelow(ends, places, place);
    previous[at] = ends[length - 1] ?? -1;
    ends[length] = at;
  }
  const stays = places.map(() => false);
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) stays[at] = true;
  return stays;
}

function countBelow(ends: readonly number[], places: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[ends[middle] ?? 0] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
