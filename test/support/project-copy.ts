// A temporary copy of this project, in which its programs run as in the project itself.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const parts = ["src", "prisma", "test", ".ci", "package.json", "tsconfig.json", ".oxfmtrc.json"];
const printed = ["schema.graphql", "README.md"];

export async function copyProject() {
  const folder = await mkdtemp(join(tmpdir(), "docgraph-copy-"));
  for (const part of [...parts, ...printed]) await cp(join(project, part), join(folder, part), { recursive: true });
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));

  /** Runs a program with Node and returns its output; rejects with the output if it fails. */
  const nodeWith = async (path: string, args: readonly string[]): Promise<string> => {
    const env = { ...process.env, PATH: path, VITEST: undefined, NODE_ENV: "test" };
    try {
      return (await run(process.execPath, args, { cwd: folder, env, maxBuffer: 50_000_000 })).stdout;
    } catch (error) {
      if (error instanceof Error && "stdout" in error) error.message += String(error.stdout); // of compilers and tests
      throw error;
    }
  };
  const { PATH = "" } = process.env;
  const node = (...args: string[]) => nodeWith(PATH, args);
  return {
    folder,
    node,
    /** The same, with a folder first in PATH. */
    nodeBehind: (programs: string, ...args: string[]) => nodeWith(`${programs}${delimiter}${PATH}`, args),
    /** Runs tests; `--update` writes their snapshot files. */
    vitest: (...args: string[]) =>
      node("node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--maxWorkers=1", ...args),
    read: (path: string) => readFile(join(folder, path), "utf8"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
