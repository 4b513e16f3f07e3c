// Creating missing folders, concurrently, and failing where that is impossible.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { type TestFolder, testFolder } from "#test/support/test-files.ts";
import { times } from "#test/support/world.ts";

let folder: TestFolder;
beforeEach(() => void (folder = testFolder()));
afterEach(() => folder.remove());

test("concurrent calls create the same folder and its siblings", async () => {
  const paths = times(500, (index) => join(folder.path, `${index % 50}`, `${index % 100}`, "a", "b"));
  const made = await Promise.all(paths.map((path) => ensureFolder(path)));
  for (const path of paths) expect((await stat(path)).isDirectory()).toBe(true);
  expect(made.filter((first) => first === folder.path)).toHaveLength(1); // one made the first of them
  expect(await ensureFolder(paths[0] ?? "")).toBeUndefined();
});

test("fails below a file and where folders cannot be created", async () => {
  await ensureFolder(folder.path);
  const file = join(folder.path, "file");
  await writeFile(file, "");
  await expect(ensureFolder(file)).rejects.toThrow("EEXIST");
  await expect(ensureFolder(join(file, "below"))).rejects.toThrow("ENOTDIR");
  await expect(ensureFolder("/proc/nope/below")).rejects.toThrow("/proc");
});
