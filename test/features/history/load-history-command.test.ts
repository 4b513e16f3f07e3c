// `npm run load-history`: its output and exit codes; as a process of its own once, otherwise many calls in one.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { type Outcome, runInTurn } from "#test/support/commands.ts";
import { bookHistory } from "#test/support/samples.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { createWorld } from "#test/support/world.ts";

let throwAway: TestDatabase;
let database: Database;

const script = fileURLToPath(new URL("../../../src/cli/load-history.ts", import.meta.url));

function loadHistory(...parameters: string[]): Promise<Outcome> {
  const env = { ...process.env, DATABASE_URL: throwAway.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    );
  });
}

let help: Outcome | undefined;
let noArguments: Outcome | undefined;
let noFile: Outcome | undefined;
let noSpace: Outcome | undefined;

beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
  [help, noArguments, noFile, noSpace] = await runInTurn(
    [
      ["load-history", "--help"],
      ["load-history"],
      ["load-history", "nowhere.gz", "--space", "spc_x"],
      ...(bookHistory ? [["load-history", bookHistory, "--space", "spc_nothing"] as const] : []),
    ],
    { DATABASE_URL: throwAway.url },
  );
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

test("load-history --help describes the result of loading a history", () => {
  expect(help?.code).toBe(0);
  expect(help?.output).toMatch(/^usage: npm run load-history -- <history\.json> --space <id>\n/);
  expect(help?.output).toMatch(/members of the organization with\s+the role 'edit'/);
});

test("load-history exits with one line and code 2 for invalid arguments, or code 1 for a missing file or space", () => {
  expect(noArguments).toEqual({
    code: 2,
    output: "",
    errors: expect.stringMatching(/^usage: .*\n$/) as string,
  }); // the matcher's type is `any`
  expect(noFile).toMatchObject({ code: 1, output: "" });
  expect(noFile?.errors).toMatch(/^nowhere\.gz cannot be read .*\n$/);
});

test.skipIf(!bookHistory)("load-history loads a history with progress into the database of DATABASE_URL", async () => {
  const { space } = await createWorld(database).space({ space: { title: "The book" } });
  const loaded = await loadHistory(bookHistory ?? "", "--space", space.id);
  expect(loaded).toMatchObject({
    code: 0,
    output: `Loaded 105 pages, 66 change requests with 272 comments, 187 revisions and 48 contributors into "The book".\n`,
  });
  expect(loaded.errors).toMatch(/(\d{4}) of \1 rows/);
  expect(noSpace).toEqual({
    code: 1,
    output: "",
    errors: "No space has the id spc_nothing.\n",
  });
});
