// Proofs that run test files of the suite differently: sized ones at full size, and all of them with compared plans.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the test files that take their size from runs.ts; returns whether all tests pass. */
export async function proveSizes({ runs, seed }: { runs: string; seed: string | undefined }): Promise<boolean> {
  return passes(await sizedFiles(), { RUNS: runs, ...(seed !== undefined && { SEED: seed }) });
}

/** Runs the tests of many waiting events at full size; they say how many wait. */
export const proveBacklog = (): Promise<boolean> =>
  passes(["test/features/integrations/backlog.test.ts"], { RUNS: "1" });

/** Runs all test files; every query is executed compiled and interpreted. */
export const provePlans = (): Promise<boolean> => passes([], { COMPARE_PLANS: "1" });

async function passes(files: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const config = ["--config", "test/vitest.config.ts", "--testTimeout", "3600000"];
  const vitest = spawn("npx", ["vitest", "run", ...config, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  const end = () => void vitest.kill();
  process.once("exit", end);
  const [code, signal] = (await once(vitest, "exit")) as [number | null, NodeJS.Signals | null];
  process.off("exit", end);
  if (code !== 0) console.log(`  the tests ended with ${code ?? signal}`);
  return code === 0;
}

/** The test files that import runs.ts. */
async function sizedFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob("test/**/*.test.ts", { cwd: root })) files.push(file);
  const texts = await Promise.all(files.map((file) => readFile(`${root}/${file}`, "utf8")));
  return files.filter((_, index) => texts[index]?.includes('from "#test/support/runs.ts"')).toSorted();
}
