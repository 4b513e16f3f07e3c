// Runs the tests of the suite that cover checks of the list; a check passes if all of its tests pass.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { NamedTest } from "#test/support/named-tests.ts";

/** A test result: the full title with the values of its table row, and whether it passed. */
interface RunTest {
  readonly file: string;
  readonly title: string;
  readonly hasPassed: boolean;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs tests of the suite in one vitest process, and returns the results. */
export async function runNamed(tests: readonly NamedTest[]): Promise<readonly RunTest[]> {
  if (tests.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "docgraph-abuse-"));
  const report = join(folder, "report.json");
  const files = [...new Set(tests.map(([file]) => `test/${file}`))];
  const titles = [...new Set(tests.map(([, title]) => piecesOf(title).map(escaped).join(".*")))];
  try {
    const vitest = ["run", "--config", "test/vitest.config.ts", "--testNamePattern", titles.join("|"), ...files];
    const child = spawn("npx", ["vitest", ...vitest, "--reporter=json", `--outputFile=${report}`], {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, NODE_ENV: "test" },
    });
    await once(child, "close"); // exit code 1 if a test failed, which the report says
    return readReport(await readFile(report, "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whether tests with these words in their titles ran and all passed. */
export function havePassed(run: readonly RunTest[], [file, words]: NamedTest): boolean {
  const title = new RegExp(piecesOf(words).map(escaped).join(".*"), "s");
  const found = run.filter((test) => test.file === `test/${file}` && title.test(test.title));
  return found.length > 0 && found.every(({ hasPassed }) => hasPassed);
}

/** The constant parts of a title template. */
const piecesOf = (title: string): string[] => title.split(/%[sdifjo#$]|\$\{[^}]*\}|\$[\w.]+/);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function readReport(text: string): readonly RunTest[] {
  const { testResults } = JSON.parse(text) as Report; // as vitest writes it
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status }) => ({
        file: relative(root, name),
        title: fullName,
        hasPassed: status === "passed",
      })),
  );
}
