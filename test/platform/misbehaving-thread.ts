// The worker of `threads.test.ts`: does what each task says, including endless loops and running out of memory.
import { serveTasks } from "#src/runtime/threads.ts";

export type Behaviour = "answer" | "never end" | "wait for ever" | "sleep" | "fill the memory" | "throw";

serveTasks((task: Behaviour): string => {
  const kept: number[][] = [];
  const waits = task === "sleep" ? 300 : task === "wait for ever" ? Infinity : 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waits);
  if (task === "throw") throw new TypeError("Thrown by the test.");
  while (task === "never end" || task === "fill the memory")
    if (task === "fill the memory") kept.push(Array.from({ length: 100_000 }, Math.random));
  return "done";
});
