// A temporary copy of this project, in which its programs run as in the project itself.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, lstat, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FolderInUseError, lockFolder } from "#src/db/embedded/folder-lock.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const parts = ["src", "prisma", "test", ".ci", "package.json", "tsconfig.json", ".oxfmtrc.json"];
const printed = ["schema.graphql", "README.md"];

/** Not the temporary folder, which a run makes for itself. */
const usualFolder = "/tmp";

/**
 * A folder for the copy, the same one each time unless another run uses it: vitest and Node cache what they compile by
 * its path, and compiling the whole project takes five seconds of CPU.
 */
async function claimFolder() {
  const uid = process.getuid?.() ?? 0;
  const name = `docgraph-copy-${createHash("sha256").update(project).digest("hex").slice(0, 16)}-${uid}`;
  const place = join(usualFolder, name);
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    if ((await lstat(place)).uid !== uid) throw new Error(`${place} belongs to another account`);
    const lock = await lockFolder(place);
    const folder = join(place, "project");
    const clear = () => rm(folder, { recursive: true, force: true });
    await clear(); // left by a killed run
    return { folder, leave: () => clear().then(() => lock.release()) };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const folder = await mkdtemp(join(tmpdir(), "docgraph-copy-"));
    return { folder, leave: () => rm(folder, { recursive: true, force: true }) };
  }
}

export async function copyProject() {
  const { folder, leave } = await claimFolder();
  await mkdir(folder, { recursive: true });
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
    [Symbol.asyncDispose]: leave,
  };
}
