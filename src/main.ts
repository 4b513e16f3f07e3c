// The process entry: configuration, database, migrations, demo data, server, jobs, graceful stop. No logic beyond
// putting these together.
import { parseArgs } from "node:util";
import type { Logger } from "pino";
import { describeConfig, readConfig, type Config } from "#src/base/config.ts";
import { createLog } from "#src/base/log.ts";
import { systemClock } from "#src/base/time.ts";
import { openDatabase } from "#src/db/database.ts";
import { migrate } from "#src/db/migrate.ts";
import { postgresWakeups } from "#src/events/postgres-wakeups.ts";
import { redisWakeups } from "#src/events/redis-wakeups.ts";
import { trimOutbox } from "#src/events/trim-outbox.ts";
import { features } from "#src/features/index.ts";
import { FileStore } from "#src/files/file-store.ts";
import { startJobs } from "#src/jobs/start-jobs.ts";
import { createApp } from "#src/server/app.ts";
import { banner } from "#src/server/banner.ts";
import { type DatabaseSource, provideDatabase } from "#src/server/database-source.ts";
import { type PrepareDemo, provideDemo } from "#src/server/demo.ts";
import { freeMemoryWhenIdle } from "#src/server/idle-memory.ts";
import { stopOnSignals } from "#src/server/lifecycle.ts";
import { explain } from "#src/server/start-errors.ts";

const help = `npm start             starts docgraph
npm start -- --help   prints this

Environment variables:
${describeConfig()}
`;

try {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) process.stdout.write(help);
  else await start(readConfig());
} catch (error) {
  process.stderr.write(`docgraph: ${explain(error)}\n`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, isTerminal: process.stdout.isTTY });
  const prepareDemo = provideDemo(config);
  const source = await provideDatabase(config, log);
  try {
    await serve(config, log, source, prepareDemo);
  } catch (error) {
    await source.stop();
    throw error;
  }
}

async function serve(config: Config, log: Logger, source: DatabaseSource, prepareDemo: PrepareDemo): Promise<void> {
  await migrate(source.url, { log: (message) => log.info(message) });
  const database = openDatabase({ url: source.url });
  const files = new FileStore(config.filesDir);
  await files.tidy();
  const demoToken = source.isEmbedded ? await prepareDemo(database) : undefined;
  const graphiql = config.environment !== "production";
  const wakeups = config.redisUrl
    ? redisWakeups({ url: config.redisUrl, name: new URL(source.url).pathname, log })
    : postgresWakeups({ url: source.url, log });
  const { stopGraceMs: graceMs } = config;
  const settings = { ...settingsOf(config), graphiql, demoToken };
  const app = createApp({ database, files, wakeups, log, ...settings });
  const { url } = await app.listen({ host: config.host, port: config.port });
  const work = [trimOutbox, ...features.flatMap(({ jobs = [] }) => jobs)];
  // The start does not wait for them.
  const jobs = startJobs({ url: source.url, database, files, clock: systemClock, log, jobs: work });
  stopOnSignals(
    async () => {
      await Promise.all([app.close({ graceMs }), (await jobs).stop({ graceMs })]);
      await database.close();
      await source.stop();
    },
    { log, limitMs: graceMs + 20_000, withParent: config.isRunByNpm },
  );
  if (config.environment === "production") log.info({ address: url, data: source.description }, "docgraph is ready");
  else process.stdout.write(banner({ url, data: source.description, demoToken }));
  await jobs;
  freeMemoryWhenIdle();
}

/** What the application takes of the configuration as it is. */
function settingsOf({ publicUrl, appUrl, publishedUrl, maxFileSize, allowedOrigins, socketsPerToken }: Config) {
  return { publicUrl, appUrl, publishedUrl, maxFileSize, allowedOrigins, socketLimits: { socketsPerToken } };
}
