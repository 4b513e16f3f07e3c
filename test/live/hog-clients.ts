// The clients of a heavy user, as a process: repeats work of a kind, so many at once, until the time is over, and
// prints the outcomes. `node src/run.js ../test/live/hog-clients` with what to do as JSON.
import { type Counts, type HogSize, type Scene, works } from "#test/live/hog-works.ts";
import { times } from "#test/support/world.ts";

/** What the process does. */
export interface Heavy {
  readonly work: string;
  readonly scene: Scene;
  readonly size: HogSize;
}

async function repeat({ work, scene, size }: Heavy): Promise<Counts> {
  const counts = { done: 0, refused: 0 };
  const end = performance.now() + size.seconds * 1000;
  const one = async (): Promise<void> => {
    do counts[(await works[work]?.(scene, size)) ? "done" : "refused"] += 1;
    while (performance.now() < end);
  };
  await Promise.all(times(size.atOnce, one));
  return counts;
}

const counts = await repeat(JSON.parse(process.argv[2] ?? "") as Heavy);
process.stdout.write(JSON.stringify(counts));
process.exit(); // open connections would keep it
