// The entry of every command, as `node src/run.js cli/token …` or `node src/run.js main`: loads the module, and prints
// what to do if it cannot be loaded. Plain JavaScript, since a Node that is too old does not run TypeScript.
import module from "node:module";

const least = 24;
const command = String(process.argv.splice(2, 1)[0]);

if (parseInt(process.versions.node, 10) >= least) {
  module.registerHooks({ resolve });
  import(`./${command}.ts`).catch(explain);
} else {
  const remedy = "on Linux 'npm ci' installs one, for the npm scripts; elsewhere install it yourself";
  end(`it needs Node ${least} or later, and this is ${process.version}; ${remedy}`);
}

/**
 * Resolves `#src/…` by itself, which takes a sixth off the CPU of a start: Node asks each folder for its package.json.
 * @type {import("node:module").ResolveHookSync}
 */
function resolve(specifier, context, next) {
  if (!specifier.startsWith("#src/")) return next(specifier, context);
  const url = new URL(specifier.slice("#src/".length), import.meta.url).href;
  return { url, format: "module-typescript", shortCircuit: true };
}

/** @param {unknown} error */
function explain(error) {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  if (!isMissing) throw error;
  const what = /'([^']+)'/.exec(error.message)?.[1] ?? "a module";
  end(`${what} is missing: run 'npm ci' in this folder, without --omit=dev where docgraph is developed`);
}

/** @param {string} sentence */
function end(sentence) {
  process.stderr.write(`docgraph: ${sentence}\n`);
  process.exitCode = 1;
}
