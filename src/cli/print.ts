// `npm run print`: writes the printed files; with --dashboard it prints a dashboard for Grafana instead.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { dashboard } from "#src/cli/dashboard.ts";
import { printedFiles } from "#src/cli/printed.ts";

const { values } = parseArgs({ options: { dashboard: { type: "boolean", default: false } } });
if (values.dashboard) process.stdout.write(`${JSON.stringify(dashboard(), null, 2)}\n`);
else await writeAll();

async function writeAll(): Promise<void> {
  for (const { path, content } of printedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), content);
}
