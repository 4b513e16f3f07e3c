// Runs many commands of src/cli in one process, since starting processes costs more than the commands.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const program = fileURLToPath(new URL("command-runner.ts", import.meta.url));
const pathOf = (name: string) => fileURLToPath(new URL(`../../src/cli/${name}.ts`, import.meta.url));

/** Runs commands one after the other; they must not depend on modules loaded by others. */
export async function runInTurn(
  calls: readonly (readonly [name: string, ...args: string[]])[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Outcome[]> {
  const named = calls.map(([name, ...args]) => [pathOf(name), ...args]);
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const own = { PATH, HOME, NODE_COMPILE_CACHE, ...env };
  const options = { env: own, maxBuffer: 50_000_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(named)], options);
  return JSON.parse(stdout) as Outcome[]; // what the program writes
}
