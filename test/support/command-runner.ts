// Runs commands one after the other in this process, each as if called alone, and prints their outcomes.
import { pathToFileURL } from "node:url";
import type { Outcome } from "#test/support/commands.ts";

const [, , given = "[]"] = process.argv;
const calls = JSON.parse(given) as (readonly [script: string, ...args: string[]])[]; // what commands.ts writes
const outcomes: Outcome[] = [];
const print = process.stdout.write.bind(process.stdout);
for (const [index, [script, ...args]] of calls.entries()) {
  let [output, errors] = ["", ""];
  process.stdout.write = (text) => ((output += String(text)), true);
  process.stderr.write = (text) => ((errors += String(text)), true);
  process.argv = [process.execPath, script, ...args];
  process.exitCode = 0;
  await import(`${pathToFileURL(script).href}?${index}`); // again each time
  outcomes.push({ code: Number(process.exitCode), output, errors });
}
process.exitCode = 0;
print(JSON.stringify(outcomes));
