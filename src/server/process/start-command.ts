// The command that starts docgraph: reads the arguments and the configuration, which is enough for --help and for
// rejecting invalid ones, and then loads the server.
import { parseArgs } from "node:util";
import { restartForMemory } from "#src/server/process/memory.ts";
import { isWorker } from "#src/server/process/worker.ts";
import { type Config, ConfigError, describeConfig, readConfig, withVariables } from "#src/config/config.ts";

const help = `npm start                        starts docgraph
npm start -- --demo [--yes]      fills an empty database with a small demo, even in production or with DATABASE_URL
npm start -- --yes               creates its tables even if the database has tables of other software
npm start -- --workers 4         starts so many gateways on one port, each with a core; 'auto' takes one for each core
npm start -- --help              prints this text

Environment variables:
${describeConfig()}
`;

const options = {
  demo: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  workers: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs the command of the arguments. Throws for invalid arguments and an invalid configuration. */
export async function runStart(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) process.stdout.write(help);
  else await start(values);
}

interface Chosen {
  readonly demo: boolean;
  readonly yes: boolean;
  readonly workers?: string;
}

async function start(chosen: Chosen): Promise<void> {
  const config = readConfig(chosen.workers === undefined ? undefined : withVariables({ WORKERS: chosen.workers }));
  if (!isWorker()) restartForMemory(config);
  if (chosen.demo && !chosen.yes) await agree(config);
  const { startDocgraph } = await import("#src/server/process/start.ts");
  await startDocgraph(config, chosen);
}

/** Asks the person at the terminal before a demo is written into a database of theirs. */
async function agree({ databaseUrl }: Config): Promise<void> {
  if (databaseUrl === undefined) return;
  if (!process.stdin.isTTY)
    throw new ConfigError("--demo writes into the database of DATABASE_URL: confirm with --yes");
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("Write the demo into the database of DATABASE_URL, if it is empty? [y/N] ");
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new ConfigError("the demo was not confirmed, so nothing was started");
}
