// Loaded into a gateway before it starts (`node --import`): writes its memory use to a file every ten seconds.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export interface Sample {
  /** Seconds since the process began. */
  readonly seconds: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
}

const file = process.env["MEMORY_SAMPLES"];

if (file && isMainThread) {
  const take = () => {
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    const sample: Sample = { seconds: process.uptime(), heapUsed, external, arrayBuffers, rss };
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
  };
  take();
  setInterval(take, 10_000).unref();
}
