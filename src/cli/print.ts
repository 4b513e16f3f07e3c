// `npm run print`: writes the printed files; with --dashboard it prints a dashboard for Grafana instead, with --deploy
// the configuration of several machines.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { dashboard } from "#src/cli/dashboard.ts";
import { deployment } from "#src/cli/deployment.ts";
import { printedFiles } from "#src/cli/printed.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { dashboard: flag, deploy: flag } });
if (values.dashboard) process.stdout.write(`${JSON.stringify(dashboard(), null, 2)}\n`);
else if (values.deploy) for (const { path, content } of deployment) process.stdout.write(`#### ${path}\n${content}\n`);
else await writeAll();

async function writeAll(): Promise<void> {
  for (const { path, content } of printedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), content);
}
