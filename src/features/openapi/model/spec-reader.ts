// Processing specifications in a thread, with limits of time and memory.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Processed, SpecFiles } from "#src/features/openapi/model/process.ts";

/** Far more than any specification needs that was not made to be slow. */
const defaultTimeLimit = 60_000;

const pool = new ThreadPool<SpecFiles, Processed>(new URL("spec-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 640,
});

/** Processes a specification, or says what is wrong with it. `timeLimit` is in milliseconds. */
export async function readSpec(files: SpecFiles, timeLimit: number = defaultTimeLimit): Promise<Processed> {
  const { answers, ended } = await pool.run([files], timeLimit);
  const what = ended === "out of time" ? "long" : "much memory";
  return answers[0] ?? { fault: `${files[0].name}: It takes too ${what} to be read.` };
}
