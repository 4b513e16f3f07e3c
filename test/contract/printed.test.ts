// The printed files match the current code.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { printedFiles } from "#src/cli/printed/files.ts";

test.for(printedFiles())("$path is up to date; `npm run print` writes it", async ({ path, content }) => {
  const written = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(written).toBe(content);
});
