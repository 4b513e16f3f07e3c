// The proof of `npm run new`: a project with two new entities passes the type check, the examples and the access tests.
import { copyProject } from "#test/support/project-copy.ts";

const files = [
  "features/reading-lists",
  "features/bookmarks",
  "features/audit/declared.test.ts",
  "contract/printed.test.ts",
  "contract/events.test.ts",
  "contract/routes.test.ts",
  "contract/examples.test.ts",
  "permissions.test.ts",
  "tenants.test.ts",
  "table-owners.test.ts",
  "access.test.ts",
  "architecture.test.ts",
];

type Say = (line: string) => void;

/** Returns whether everything passes; `say` gets the output of the first failing program. */
export async function proveEntities(say: Say): Promise<boolean> {
  try {
    await checkEntities(say);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "stdout" in error)) throw error;
    say(error.message);
    return false;
  }
}

async function checkEntities(say: Say): Promise<void> {
  await using copy = await copyProject();
  say("writing an entity with operations of /v1, and one without a stream");
  await copy.node("src/cli/new.ts", "reading", "list", "--rest");
  await copy.node("src/cli/new.ts", "bookmark", "--stream", "none");
  await copy.vitest("test/contract/examples.test.ts", "--testNamePattern", "npm run examples", "--update");
  say("checking types and unused code");
  await copy.node("node_modules/typescript/bin/tsc", "-p", ".");
  await copy.node("node_modules/knip/bin/knip.js");
  say("running the tests");
  const output = await copy.vitest(...files.map((file) => `test/${file}`), "--update");
  say(/Test Files.*/.exec(output)?.[0] ?? "");
}
