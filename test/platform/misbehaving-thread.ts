// The worker of `threads.test.ts`: does what each task says, including endless loops and running out of memory.
import { serveTasks } from "#src/runtime/threads.ts";

/** Each fills the memory with many of its own kind of values. */
const fillers = {
  numbers: () => Array.from({ length: 100_000 }, Math.random),
  texts: (count: number) => `text ${count}`.repeat(3),
  parsed: () => JSON.parse(`[${'{"a":[1,2,{"b":"c"}]},'.repeat(50_000)}1]`) as unknown,
};
export const filled = Object.keys(fillers) as (keyof typeof fillers)[];

export type Behaviour = "answer" | "never end" | "wait for ever" | "sleep" | keyof typeof fillers | "throw";

function fillWith(make: (count: number) => unknown): never {
  for (const kept: unknown[] = []; ;) kept.push(make(kept.length));
}

serveTasks((task: Behaviour): string => {
  const waits = task === "sleep" ? 300 : task === "wait for ever" ? Infinity : 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waits);
  if (task === "throw") throw new TypeError("Thrown by the test.");
  if (task in fillers) fillWith(fillers[task as keyof typeof fillers]);
  while (task === "never end");
  return "done";
});
