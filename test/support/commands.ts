// Commands of src/cli that end by themselves, many in one process: to start one for each costs more than they do.
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

/** Runs them one after the other; none may need what another has loaded. */
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
