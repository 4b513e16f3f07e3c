// `npm run new`: a project with generated entities loads and prints its files; at full size they also compile and pass
// their own tests. `npm run prove -- --only entities` runs the examples and the access tests, too.
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formsOf, freePrefix } from "#src/cli/new-entity/generate.ts";
import { runInTurn } from "#test/support/commands.ts";
import { copyProject } from "#test/support/project-copy.ts";
import { isFullSize } from "#test/support/runs.ts";

let copy: Awaited<ReturnType<typeof copyProject>>;

beforeAll(async () => {
  copy = await copyProject();
});
afterAll(() => copy[Symbol.asyncDispose]());

/** Generates an entity; lists the following scripts of package.json instead of running them. */
async function writeAlone(...args: string[]) {
  const programs = join(copy.folder, "programs");
  await mkdir(programs);
  await writeFile(join(programs, "npm"), `#!/bin/sh\necho "$@" >> "${programs}/scripts"\n`);
  await chmod(join(programs, "npm"), 0o755);
  const output = await copy.nodeBehind(programs, "src/cli/new.ts", ...args);
  return { output, scripts: (await copy.read("programs/scripts")).trim().split("\n") };
}

test("generated entities pass the checks, with /v1 operations and without a stream", { timeout: 600_000 }, async () => {
  const silent = await writeAlone("bookmark", "--stream", "none");
  expect(silent.output).toContain("streams  none");
  expect(silent.scripts).toEqual(["run -s migration -- add bookmarks", "run -s print", "run -s format"]);
  const printed = await copy.node("src/cli/new.ts", "reading", "list", "--rest");
  expect(printed).toContain("Next: npm run examples && npm run check");
  expect(printed).toContain("made     src/features/reading-lists/commands.ts");
  expect(printed).toContain("changed  src/features/index.ts");
  expect(printed).toContain("streams  spaceEvents: ReadingListCreated, ReadingListChanged, ReadingListDeleted");
  for (const name of ["type ReadingListConnection", "updateBookmark("])
    expect(await copy.read("schema.graphql")).toContain(name);
  expect(await copy.read("test/contract/routes.txt")).toContain("DELETE  /v1/reading-lists/{readingListId}");
  expect(await copy.read("test/contract/events.txt")).toMatch(
    /^bookmark\.created .* none: Clients read bookmarks again/m,
  );
  const made = await readdir(join(copy.folder, "prisma/migrations"));
  const migration = made.find((name) => name.endsWith("add_reading_lists"));
  expect(await copy.read(`prisma/migrations/${migration}/migration.sql`)).toContain(
    `"spaceId" TEXT COLLATE "C" NOT NULL`,
  );
  await expect(copy.node("src/cli/new.ts", "reading list")).rejects.toThrow("already exists");

  if (!isFullSize) return; // it was loaded, when it was printed
  await checkCode();
  const files = ["features/audit/declared", "contract/printed", "contract/events", "contract/routes", "table-owners"];
  const folders = ["test/features/reading-lists", "test/features/bookmarks"];
  const tests = await copy.vitest(...folders, ...files.map((file) => `test/${file}.test.ts`));
  expect(tests).toMatch(/Test Files.*9 passed/);
});

/** It compiles without unused code. */
async function checkCode(): Promise<void> {
  await copy.node("node_modules/typescript/bin/tsc", "-p", ".");
  await copy.node("node_modules/knip/bin/knip.js");
}

test("npm run new and npm run migration print their usage and exit with 2 for wrong arguments", async () => {
  const wrong = await runInTurn([
    ["new"],
    ["new", "9 lives"],
    ["new", "sheep", "--plural", "sheep"],
    ["new", "book", "--prefix", "B1"],
    ["new", "book", "--color"],
    ["new", "book", "--stream", "x"],
    ["migration"],
    ["migration", "--color"],
    ["migration", "…"],
  ]);
  for (const { code, errors } of wrong)
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringMatching(/^(usage: npm run (new|migration)|Unknown option)/) as string,
    });
  const [help] = await runInTurn([["migration", "--help"]]);
  expect(help).toMatchObject({
    code: 0,
    output: expect.stringContaining("usage: npm run migration -- <name>") as string,
  });
});

test("derives the forms of a noun and unused prefixes", () => {
  const forms = formsOf("ReadingList");
  expect(forms).toMatchObject({
    word: "reading list",
    thing: "readingList",
    Thing: "ReadingList",
    folder: "reading-lists",
  });
  expect(formsOf("gallery")?.words).toBe("galleries");
  expect(formsOf("box")?.words).toBe("boxes");
  expect(forms && freePrefix(forms)).toMatch(/^[a-z]{3}$/);
});
