// How far two words are from each other.

/**
 * How many letters have to be changed, added, left out or exchanged with the next one to make one word of another (the
 * optimal string alignment distance).
 */
export function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const at = (of: readonly number[], index: number) => of[index] ?? Number.POSITIVE_INFINITY;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1));
      const isExchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isExchanged && i > 1 && j > 1) least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
