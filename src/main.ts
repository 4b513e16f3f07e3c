// The entry of the server process: starts what the arguments ask for, and exits with a message if it cannot.
import { isWrongUse } from "#src/base/usage-error.ts";
import { runStart } from "#src/server/process/start-command.ts";

try {
  await runStart();
} catch (error) {
  // src/run.js prints it: modules that could explain it may be missing, too.
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") throw error;
  const { explain } = await import("#src/server/process/start-errors.ts");
  process.stderr.write(`docgraph: ${explain(error)}\n`);
  process.exit(isWrongUse(error) ? 2 : 1);
}
