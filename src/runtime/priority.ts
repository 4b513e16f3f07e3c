// The priority of threads beside the one that answers requests: with all processors busy, they wait for it. Only Linux
// has a priority of each thread.
import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * Lower than that of the thread that answers requests: 0 is the usual priority, and 19 the lowest. The pool compresses
 * long responses, whose slices would take all processors; tasks of worker threads have a time limit.
 */
const lower = { thread: 5, pool: 10 } as const;

/** Gives the worker thread that calls it a lower priority, by default that of tasks. */
export function lowerPriority(to: number = lower.thread): void {
  if (process.platform === "linux" && !isMainThread) setPriority(0, to); // 0 is the calling thread
}

/** Gives the threads in which Node compresses, hashes and reads files a lower priority. */
export async function lowerPriorityOfPool(): Promise<void> {
  if (process.platform !== "linux") return;
  const tasks = "/proc/self/task"; // reading it starts the pool
  for (const thread of await readdir(tasks).catch(() => [])) {
    const name = await readFile(`${tasks}/${thread}/comm`, "utf8").catch(() => ""); // it has ended
    if (name.startsWith("libuv-worker")) setPriority(Number(thread), lower.pool);
  }
}
