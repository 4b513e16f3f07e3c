// The clients of a heavy user, in a thread of low priority: they stand for other machines, which take no processor from
// the gateway.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { lowerPriority, lowerPriorityOfPool } from "#src/runtime/priority.ts";
import { type HogSize, type Scene, works } from "#test/live/hog-works.ts";
import { times } from "#test/support/world.ts";

/** What the thread does. */
interface Heavy {
  readonly work: string;
  readonly scene: Scene;
  readonly size: HogSize;
}

/** The requests by their outcome. */
interface Counts {
  readonly done: number;
  readonly refused: number;
}

/** Marks the worker data of this thread. */
const mark = "heavy";

/** Repeats work of a kind in a thread, so many at once, until the time is over; at least once each. */
export async function repeatInThread(heavy: Heavy): Promise<Counts> {
  await lowerPriorityOfPool(); // it unpacks responses
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { [mark]: heavy } });
  const [counts] = (await once(worker, "message")) as [Counts];
  await worker.terminate();
  return counts;
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

const given = workerData as { readonly [mark]?: Heavy } | null;
if (!isMainThread && given?.[mark]) {
  lowerPriority(19);
  parentPort?.postMessage(await repeat(given[mark]));
}
