// A factory of objects that tests use once, which makes many at a time: one statement for twenty worlds costs little
// more than one for a single world.

const most = 20;

/** Returns a function that returns the next object; `make` makes `count` of them. */
export function batchedFactory<One>(make: (count: number) => Promise<readonly One[]>): () => Promise<One> {
  const ready: One[] = [];
  let count = 1; // few in a run of few tests
  return async () => {
    if (ready.length === 0) {
      ready.push(...(await make(count)));
      count = Math.min(most, 2 * count);
    }
    const one = ready.pop();
    if (one === undefined) throw new Error("`make` returned nothing.");
    return one;
  };
}
