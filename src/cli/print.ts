// `npm run print`: writes the printed files; with --dashboard it prints a dashboard for Grafana instead, with --deploy
// the configuration of several machines.
import { writeFile } from "node:fs/promises";
import { runCommand } from "#src/cli/command.ts";
import { dashboard } from "#src/cli/dashboard.ts";
import { deployment } from "#src/cli/deployment.ts";
import { printedFiles } from "#src/cli/printed.ts";

const usage = "npm run print [-- --dashboard | --deploy]";

const about = `Writes the files of the project that are made of its code, such as schema.graphql.

  --dashboard   Prints a dashboard for Grafana instead.
  --deploy      Prints the configuration of several machines instead: HAProxy, PgBouncer, replicas.
  --help        This text.
`;

const flag = { type: "boolean", default: false } as const;

await runCommand({ usage, about, options: { dashboard: flag, deploy: flag } }, async (values) => {
  if (values.dashboard) return `${JSON.stringify(dashboard(), null, 2)}\n`;
  if (values.deploy) return deployment.map(({ path, content }) => `#### ${path}\n${content}\n`).join("");
  await writeAll();
  return "";
});

async function writeAll(): Promise<void> {
  for (const { path, content } of printedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), content);
}
