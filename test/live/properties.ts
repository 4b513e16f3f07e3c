// The proof of the properties: the test files that take their number of runs from runs.ts, at full size.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the files, and answers whether all tests pass. */
export async function proveProperties({ runs, seed }: { runs: string; seed: string | undefined }): Promise<boolean> {
  const files = await sizedFiles();
  const config = ["--config", "test/vitest.config.ts", "--testTimeout", "3600000"];
  const vitest = spawn("npx", ["vitest", "run", ...config, ...files], {
    cwd: root,
    env: { ...process.env, RUNS: runs, ...(seed !== undefined && { SEED: seed }) },
    stdio: "inherit",
  });
  const [code] = (await once(vitest, "exit")) as [number | null];
  return code === 0;
}

/** The test files that import runs.ts. */
async function sizedFiles(): Promise<string[]> {
  const all = await readdir(`${root}/test`, { recursive: true });
  const files = all.filter((file) => file.endsWith(".test.ts")).map((file) => `test/${file}`);
  const texts = await Promise.all(files.map((file) => readFile(`${root}/${file}`, "utf8")));
  return files.filter((_, index) => texts[index]?.includes('from "#test/support/runs.ts"')).toSorted();
}
