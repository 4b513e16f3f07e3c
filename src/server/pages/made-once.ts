// Values that a thread makes when they are first needed, and that are kept.
import type { ThreadPool } from "#src/runtime/threads.ts";

/** Returns a function for the answer to a task: the first call runs the task, a call after a failure runs it again. */
export function madeOnce<Task, Made extends object>(pool: ThreadPool<Task, Made>, task: Task, failure: string) {
  const make = async () => {
    const { answers, ended } = await pool.run([task], 60_000);
    if (!answers[0]) throw new Error(`${failure}: ${ended}.`);
    return answers[0];
  };
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    made.catch(() => (made = undefined));
    return made;
  };
}
