// What is kept in memory by its hash: what was used last, and never more than there is room for.
import { expect, test } from "vitest";
import { Remembered } from "#src/features/content/reads/remembered.ts";

const kept = (memory: Remembered<number>, hashes: string) =>
  hashes
    .split("")
    .filter((hash) => memory.get(hash) !== undefined)
    .join("");

test("drops what was used longest ago when the room is full", () => {
  const memory = new Remembered<number>(10, (weight) => weight);
  for (const hash of "abcde") memory.keep(hash, 2);
  expect(memory.get("a")).toBe(2);
  memory.keep("f", 1);
  expect(kept(memory, "bcdefa")).toBe("cdefa");
  memory.keep("g", 2);
  expect(kept(memory, "cdefag")).toBe("defag");
});

test("keeps nothing that takes more than a quarter of the room, and nothing twice", () => {
  const memory = new Remembered<number>(8, (weight) => weight);
  memory.keep("a", 3);
  expect(memory.get("a")).toBeUndefined();
  for (let times = 0; times < 9; times++) memory.keep("b", 2);
  for (const hash of "cde") memory.keep(hash, 2);
  expect(kept(memory, "bcde")).toBe("bcde");
});
