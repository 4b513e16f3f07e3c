// The command that starts docgraph: it reads the arguments and the configuration, which is all that --help and a start
// that is refused need, and then loads the server.
import { parseArgs } from "node:util";
import { type Config, ConfigError, describeConfig, readConfig } from "#src/config/config.ts";

const help = `npm start                        starts docgraph
npm start -- --demo [--yes]      fills an empty database with a small demo, also in production and that of DATABASE_URL
npm start -- --yes               makes its tables also in a database that holds those of others
npm start -- --help              prints this

Environment variables:
${describeConfig()}
`;

const options = {
  demo: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  help: { type: "boolean", short: "h" },
} as const;

/** Does what the arguments of the process say. Throws for arguments and a configuration that are wrong. */
export async function runStart(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) process.stdout.write(help);
  else await start(values);
}

async function start(chosen: { readonly demo: boolean; readonly yes: boolean }): Promise<void> {
  const config = readConfig();
  if (chosen.demo && !chosen.yes) await agree(config);
  const { startDocgraph } = await import("#src/server/process/start.ts");
  await startDocgraph(config, chosen);
}

/** Asks whoever sits at the terminal before a demo is written into a database of theirs. */
async function agree({ databaseUrl }: Config): Promise<void> {
  if (databaseUrl === undefined) return;
  if (!process.stdin.isTTY)
    throw new ConfigError("--demo writes into the database of DATABASE_URL: add --yes for that");
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("Write the demo into the database of DATABASE_URL, if it is empty? [y/N] ");
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new ConfigError("the demo was not agreed to, so nothing was started");
}
