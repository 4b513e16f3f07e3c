// `npm run load-history` as a process: its output and exit codes.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { bookHistory } from "#test/support/samples.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { createWorld } from "#test/support/world.ts";

let throwAway: TestDatabase;
let database: Database;

beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

const script = fileURLToPath(new URL("../../../src/cli/load-history.ts", import.meta.url));

interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

function loadHistory(...parameters: string[]): Promise<Outcome> {
  const env = { ...process.env, DATABASE_URL: throwAway.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    );
  });
}

test("load-history --help describes the result of loading a history", async () => {
  const { code, output } = await loadHistory("--help");
  expect(code).toBe(0);
  expect(output).toMatch(/^usage: npm run load-history -- <history\.json> --space <id>\n/);
  expect(output).toMatch(/members of the organization with\s+the role 'edit'/);
});

test("load-history exits with one line and code 2 for invalid arguments, or code 1 for a missing file or space", async () => {
  expect(await loadHistory()).toEqual({
    code: 2,
    output: "",
    errors: expect.stringMatching(/^usage: .*\n$/) as string,
  }); // the matcher's type is `any`
  const noFile = await loadHistory("nowhere.gz", "--space", "spc_x");
  expect(noFile).toMatchObject({ code: 1, output: "" });
  expect(noFile.errors).toMatch(/^nowhere\.gz cannot be read .*\n$/);
});

test.skipIf(!bookHistory)("load-history loads a history with progress into the database of DATABASE_URL", async () => {
  const { space } = await createWorld(database).space({ space: { title: "The book" } });
  const loaded = await loadHistory(bookHistory ?? "", "--space", space.id);
  expect(loaded).toMatchObject({
    code: 0,
    output: `Loaded 105 pages, 66 change requests with 272 comments, 187 revisions and 48 contributors into "The book".\n`,
  });
  expect(loaded.errors).toMatch(/(\d{4}) of \1 rows/);
  expect(await loadHistory(bookHistory ?? "", "--space", "spc_nothing")).toEqual({
    code: 1,
    output: "",
    errors: "No space has the id spc_nothing.\n",
  });
});
