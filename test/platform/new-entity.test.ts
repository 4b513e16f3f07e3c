// `npm run new`: what it writes compiles, passes its own tests and keeps the printed files fresh; so the templates stay
// right.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formsOf, freePrefix } from "#src/cli/new-entity/generate.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
let copy: string;

/** Runs a program of the copy and answers what it printed; throws with it when the program fails. */
const node = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd: copy, env: { ...process.env, VITEST: undefined, NODE_ENV: "test" } }))
    .stdout;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "new-entity-"));
  const files = ["package.json", "tsconfig.json", ".oxfmtrc.json", "schema.graphql", "README.md"];
  for (const part of ["src", "prisma", "test", ".ci", ...files])
    await cp(join(project, part), join(copy, part), { recursive: true });
  await symlink(join(project, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test("new entities compile and pass, with operations of /v1 and without a stream", { timeout: 600_000 }, async () => {
  const printed = await node("src/cli/new.ts", "reading", "list", "--rest");
  expect(printed).toContain("Next: npm run examples && npm run check");
  expect(printed).toContain("made     src/features/reading-lists/commands.ts");
  expect(printed).toContain("changed  src/features/index.ts");
  expect(printed).toContain("streams  spaceEvents: ReadingListCreated, ReadingListChanged, ReadingListDeleted");
  expect(await node("src/cli/new.ts", "bookmark", "--stream", "none")).toContain("streams  none");
  const read = (path: string) => readFile(join(copy, path), "utf8");
  for (const name of ["type ReadingListConnection", "updateBookmark("])
    expect(await read("schema.graphql")).toContain(name);
  expect(await read("test/contract/routes.txt")).toContain("DELETE  /v1/reading-lists/{readingListId}");
  expect(await read("test/contract/events.txt")).toMatch(/^bookmark\.created .* none: Clients read bookmarks again/m);
  const migration = (await readdir(join(copy, "prisma/migrations"))).find((name) => name.endsWith("add_reading_lists"));
  expect(await read(`prisma/migrations/${migration}/migration.sql`)).toContain(`"spaceId" TEXT COLLATE "C" NOT NULL`);
  // On one processor each: other tests run beside this, and to divide the work costs as much again.
  await node("node_modules/typescript/bin/tsc", "-p", ".", "--singleThreaded");
  await node("node_modules/knip/bin/knip.js"); // nothing is written that nobody uses
  const vitest = async (...args: string[]) =>
    node("node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...args, "--update");
  await vitest("test/contract/examples.test.ts", "--testNamePattern", "npm run examples");
  const files = [
    "features/reading-lists",
    "features/bookmarks",
    "features/audit/declared.test.ts",
    "contract/printed.test.ts",
    "contract/events.test.ts",
    "contract/routes.test.ts",
    "contract/examples.test.ts",
    "table-owners.test.ts",
    "access.test.ts",
    "architecture.test.ts",
  ];
  const tests = await vitest("--maxWorkers=1", ...files.map((file) => `test/${file}`));
  expect(tests).toMatch(/Test Files.*10 passed/);
  await expect(node("src/cli/new.ts", "reading list")).rejects.toThrow("is there already");
});

test.each([
  [[]],
  [["9 lives"]],
  [["sheep", "--plural", "sheep"]],
  [["book", "--prefix", "B1"]],
  [["book", "--color"]],
  [["book", "--stream", "x"]],
])("wrong use answers the usage and ends with 2: %j", async (args) => {
  await expect(node("src/cli/new.ts", ...args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^(usage: npm run new|Unknown option)/),
  });
});

test("npm run migration says how it is used", async () => {
  expect(await node("src/cli/migration.ts", "--help")).toContain("usage: npm run migration -- <name>");
  for (const args of [[], ["--color"], ["…"]])
    await expect(node("src/cli/migration.ts", ...args)).rejects.toMatchObject({ code: 2 });
});

test("knows the forms of a noun, and prefixes that are free", () => {
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
