// The worker of `threads.test.ts`: does what each task says, including endless loops and running out of memory.
import { serveTasks } from "#src/runtime/threads.ts";

/** Each fills the memory with many of its own kind of values. */
const fillers = {
  numbers: () => Array.from({ length: 100_000 }, Math.random),
  texts: (count: number) => `text ${count}`.repeat(3),
  parsed: () => JSON.parse(`[${'{"a":[1,2,{"b":"c"}]},'.repeat(50_000)}1]`) as unknown,
};
export const filled = Object.keys(fillers) as (keyof typeof fillers)[];

/** Each makes one value that is larger than what is left of 64 megabytes, some after others that stay. */
const giants = {
  "one long list": () => Array.from({ length: 13_000_000 }).fill(0),
  "one long text": () => flat("ä€".repeat(27_000_000)),
  "a text split at each character": () => "x,".repeat(12_300_000).split(","),
  "a text replaced at each character": () => "<".repeat(3_000_000).replaceAll("<", () => "&lt;"),
  "a large map": () => new Map(Array.from({ length: 1_500_000 }, (_, key) => [key, key])),
  "a long list after many small ones": () => [texts(600_000), Array.from({ length: 8_000_000 }).fill(0)],
  "a split text after many small ones": () => [texts(600_000), "x,".repeat(6_000_000).split(",")],
};
export const giantKinds = Object.keys(giants) as (keyof typeof giants)[];

const texts = (count: number) => Array.from({ length: count }, (_, index) => fillers.texts(index));

/** Reading a character makes one text of the parts of a repetition. */
const flat = (text: string): readonly [string, number] => [text, text.charCodeAt(1)];

type Filler = keyof typeof fillers;
type Giant = keyof typeof giants;
export type Behaviour = "answer" | "never end" | "wait for ever" | "sleep" | Filler | Giant | "throw";

function fillWith(make: (count: number) => unknown): never {
  for (const kept: unknown[] = []; ;) kept.push(make(kept.length));
}

serveTasks((task: Behaviour): string => {
  const waits = task === "sleep" ? 300 : task === "wait for ever" ? Infinity : 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waits);
  if (task === "throw") throw new TypeError("Thrown by the test.");
  if (task in fillers) fillWith(fillers[task as keyof typeof fillers]);
  const kept = task in giants ? giants[task as Giant]() : null;
  while (task === "never end" || kept !== null);
  return "done";
});
