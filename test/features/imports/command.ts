// Runs `npm run import` on a test database.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../../src/cli/import.ts", import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export function runImport(
  settings: { DATABASE_URL: string; FILES_DIR: string; ALLOWED_FETCH_HOSTS?: string },
  ...parameters: string[]
): Promise<Outcome> {
  const env = { ...process.env, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    );
  });
}
