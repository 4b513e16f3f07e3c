// `npm run print`: writes the printed files, or prints the configuration of clients, the subgraph or the alerts.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "#src/base/usage-error.ts";
import { runCommand } from "#src/cli/command.ts";
import type { PrintedFile } from "#src/cli/printed/files.ts";

const usage = "npm run print [-- --alerts | --subgraph | --clients [--into <folder>]]";

const about = `Writes the files of the project that are generated from its code, such as schema.graphql.

  --alerts      Prints the alerts on the metrics as rules for Prometheus instead.
  --clients     Prints the configuration of Apollo Client, urql, Relay and graphql-codegen for the schema instead.
  --subgraph    Prints the schema for the composition of a supergraph (Apollo Federation 2) instead.
  --into        Writes what --clients prints into a folder, one file each.
  --help        Prints this text.
`;

const options = {
  alerts: { type: "boolean", default: false },
  clients: { type: "boolean", default: false },
  subgraph: { type: "boolean", default: false },
  into: { type: "string" },
} as const;

await runCommand({ usage, about, options }, async ({ into, clients, subgraph, alerts }) => {
  if (into !== undefined && !clients)
    throw new UsageError(`--into requires --clients
usage: ${usage}`);
  if ([alerts, clients, subgraph].filter(Boolean).length > 1)
    throw new UsageError(`--alerts, --clients and --subgraph exclude each other
usage: ${usage}`);
  if (alerts) return (await import("#src/reference/alerts.ts")).alertRules();
  if (subgraph) {
    const { subgraphText } = await import("#src/graph/subgraph.ts");
    return subgraphText((await import("#src/schema.ts")).schema);
  }
  if (!clients) {
    const { printedFiles } = await import("#src/cli/printed/files.ts");
    return writeAll(printedFiles(), fileURLToPath(new URL("../..", import.meta.url)));
  }
  const { clientFiles } = await import("#src/cli/printed/clients.ts");
  const { schema } = await import("#src/schema.ts");
  const files = clientFiles(schema);
  if (into !== undefined) return writeAll(files, into);
  return files.map(({ path, content }) => `#### ${path}\n${content}\n`).join("");
});

async function writeAll(files: readonly PrintedFile[], folder: string): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
