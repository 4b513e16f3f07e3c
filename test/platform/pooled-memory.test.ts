// The pool of memory for rows and responses: pieces are used again, and freed when they were not used for a while.
import { afterEach, expect, test } from "vitest";
import { dropUnused, giveMemory, keepMemory, takeMemory } from "#src/runtime/pooled-memory.ts";

const megabyte = 1024 * 1024;

afterEach(() => keepMemory(32 * megabyte));

function dropAll(): void {
  dropUnused();
  dropUnused();
}

test("a returned piece is taken again for a size that it fits, and once", () => {
  dropAll();
  const first = takeMemory(9 * megabyte);
  expect(first.length).toBe(16 * megabyte);
  giveMemory(first);
  giveMemory(first);
  const [again, other] = [takeMemory(16 * megabyte), takeMemory(16 * megabyte)];
  expect(again.buffer).toBe(first.buffer);
  expect(other.buffer).not.toBe(first.buffer);
  for (const buffer of [again, other]) giveMemory(buffer);
});

test("pieces beyond the limit, and larger ones, are freed at once", () => {
  dropAll();
  keepMemory(16 * megabyte);
  const all = [16, 16, 40].map((size) => takeMemory(size * megabyte));
  for (const buffer of all) giveMemory(buffer);
  expect(all.map(({ buffer }) => buffer.byteLength / megabyte)).toEqual([16, 0, 0]);
});

test("pieces that were not used since the last time are freed", () => {
  dropAll();
  const [used, unused] = [takeMemory(8 * megabyte), takeMemory(8 * megabyte)];
  for (const buffer of [unused, used]) giveMemory(buffer);
  dropUnused();
  giveMemory(takeMemory(8 * megabyte));
  dropUnused();
  expect([used, unused].map(({ buffer }) => buffer.byteLength / megabyte)).toEqual([8, 0]);
  dropUnused();
  expect(used.buffer.byteLength).toBe(0);
});
