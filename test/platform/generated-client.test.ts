// The database client under src/generated is committed, so that nothing is generated at installation: it must match the
// models.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Without the processes in which Prisma reports each command. */
const env = { ...process.env, CHECKPOINT_DISABLE: "1" };

/** Every file below a folder, by its path there. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return Object.fromEntries(paths.map((path, index) => [path.slice(folder.length + 1), texts[index] ?? ""]));
}

test("the Prisma models are formatted; `npm run migration` formats them", () => {
  const format = ["node_modules/prisma-cli/build/index.js", "format", "--check", "--config", "prisma/prisma.config.ts"];
  execFileSync(process.execPath, format, { cwd: project, env, stdio: "pipe" });
});

test("the generated database client matches the models; `npm run migration` generates it", async () => {
  const copy = await mkdtemp(join(tmpdir(), "docgraph-client-"));
  try {
    await cp(join(project, "prisma"), join(copy, "prisma"), { recursive: true });
    await symlink(join(project, "node_modules"), join(copy, "node_modules"));
    const cli = join(project, "node_modules/prisma-cli/build/index.js");
    const generate = [cli, "generate", "--config", "prisma/prisma.config.ts", "--no-hints"];
    execFileSync(process.execPath, generate, { cwd: copy, env, stdio: "pipe" });
    const made = await filesOf(join(copy, "src/generated"));
    expect(Object.keys(made).length).toBeGreaterThan(50);
    expect(await filesOf(join(project, "src/generated"))).toEqual(made);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
