// A bounded LRU map by weight.
import { expect, test } from "vitest";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

const kept = (memory: BoundedMap<string, number>, keys: string) =>
  keys
    .split("")
    .filter((key) => memory.get(key) !== undefined)
    .join("");

test("evicts the least recently used entry when it is full", () => {
  const memory = new BoundedMap<string, number>(10, (weight) => weight);
  for (const key of "abcde") memory.keep(key, 2);
  expect(memory.isFull).toBe(true);
  expect(memory.get("a")).toBe(2);
  memory.keep("f", 1);
  expect(kept(memory, "bcdefa")).toBe("cdefa");
  memory.keep("g", 2);
  expect(kept(memory, "cdefag")).toBe("defag");
});

test("accepts a new entry even if all others are in use", () => {
  const memory = new BoundedMap<string, number>(4);
  for (const key of "abcd") memory.keep(key, 1);
  expect(kept(memory, "abcd")).toBe("abcd");
  memory.keep("e", 1);
  memory.get("b");
  memory.keep("f", 1);
  expect(kept(memory, "abcdef")).toBe("bdef");
});

test("rejects an entry of more than a quarter of the capacity, and keeps each entry once", () => {
  const memory = new BoundedMap<string, number>(8, (weight) => weight);
  memory.keep("a", 3);
  expect(memory.get("a")).toBeUndefined();
  for (let times = 0; times < 9; times++) memory.keep("b", 2);
  for (const key of "cde") memory.keep(key, 2);
  expect(kept(memory, "bcde")).toBe("bcde");
});

test("updates the weight of a replaced value, and deletes entries on request", () => {
  const memory = new BoundedMap<string, number>(8, (weight) => weight);
  memory.keep("a", 1);
  memory.keep("a", 2);
  expect(memory.weight).toBe(2);
  memory.keep("a", 3);
  expect([memory.get("a"), memory.weight]).toEqual([undefined, 0]);
  memory.keep("b", 2);
  memory.delete("b");
  memory.delete("b");
  expect(memory.weight).toBe(0);
  memory.keep("c", 2);
  memory.clear();
  expect([memory.get("c"), memory.weight]).toEqual([undefined, 0]);
});

test("counts entries if no weight function is given", () => {
  const memory = new BoundedMap<string, number>(2);
  for (const key of "abc") memory.keep(key, 100);
  expect(kept(memory, "abc")).toBe("bc");
});
