// Finds the things that kept their order in a new one: as many as possible, so that one moved thing counts as one move.

/**
 * The members of a longest increasing subsequence of `places` (patience sorting, n log n), as a flag for each. The
 * places are those of the old order, listed in the new one: the members kept their order, and moving the others gives
 * the new one.
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
