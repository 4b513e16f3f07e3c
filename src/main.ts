// The process entry: it reads the arguments and the configuration, which is all that --help and a start that is refused
// need, and then loads the server.
import { parseArgs } from "node:util";
import { describeConfig, readConfig } from "#src/base/config.ts";

const help = `npm start             starts docgraph
npm start -- --help   prints this

Environment variables:
${describeConfig()}
`;

try {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) process.stdout.write(help);
  else await start();
} catch (error) {
  const { explain } = await import("#src/server/start-errors.ts");
  process.stderr.write(`docgraph: ${explain(error)}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig();
  const { startDocgraph } = await import("#src/server/start.ts");
  await startDocgraph(config);
}
