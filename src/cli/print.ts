// `npm run print`: writes the printed files; or prints what is not kept: a dashboard for Grafana, the configuration of
// several machines, a Containerfile, what frontends have to know of the schema.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "#src/server/process/start-errors.ts";
import { clientFiles } from "#src/cli/clients/files.ts";
import { runCommand } from "#src/cli/command.ts";
import { containerfile } from "#src/cli/container.ts";
import { dashboard } from "#src/cli/dashboard.ts";
import { deployment } from "#src/cli/deployment.ts";
import { type PrintedFile, printedFiles } from "#src/cli/printed.ts";
import { schema } from "#src/schema.ts";

const usage = "npm run print [-- --container | --dashboard | --deploy | --clients] [--into <folder>]";

const about = `Writes the files of the project that are made of its code, such as schema.graphql.

  --container   Prints a Containerfile instead, for Podman or Docker.
  --dashboard   Prints a dashboard for Grafana instead.
  --deploy      Prints the configuration of several machines instead: HAProxy, PgBouncer, replicas.
  --clients     Prints what frontends with Apollo Client, urql, Relay and graphql-codegen have to know instead.
  --into        Writes what --deploy or --clients prints into a folder, each file under its name.
  --help        This text.
`;

const flag = { type: "boolean", default: false } as const;
const options = { container: flag, dashboard: flag, deploy: flag, clients: flag, into: { type: "string" } } as const;

await runCommand({ usage, about, options }, async ({ into, ...what }) => {
  const files = what.deploy ? deployment : what.clients ? clientFiles(schema) : null;
  if (into !== undefined && !files) throw new UsageError(`--into is for --deploy and --clients\nusage: ${usage}`);
  if (files && into !== undefined) return writeAll(files, into);
  if (files) return files.map(({ path, content }) => `#### ${path}\n${content}\n`).join("");
  if (what.container) return containerfile;
  if (what.dashboard) return `${JSON.stringify(dashboard(), null, 2)}\n`;
  return writeAll(printedFiles(), fileURLToPath(new URL("../..", import.meta.url)));
});

async function writeAll(files: readonly PrintedFile[], folder: string): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
