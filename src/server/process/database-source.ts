// Which database the process works on: the one of DATABASE_URL, or the embedded one.
import type { Logger } from "pino";
import type { Config } from "#src/config/config.ts";
import { describeServers } from "#src/config/database-url.ts";
import type { OnLaunch } from "#src/db/embedded/server.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";

export interface DatabaseSource {
  readonly url: string;
  /** Of PostgreSQL itself, where `url` is that of a pooler: for what needs a session of its own. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  /** For people: where the data are. Holds no password. */
  readonly description: string;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL unless DATABASE_URL names another; `onLaunch` hears of its processes. If it ends by
 * itself the process exits with 1: the next start repairs the data and takes over what is left.
 */
export async function provideDatabase(config: Config, log: Logger, onLaunch: OnLaunch): Promise<DatabaseSource> {
  if (config.databaseUrl) {
    const description = `PostgreSQL of DATABASE_URL (${describeServers(config.databaseUrl)})`;
    const { databaseUrl: url, databaseDirectUrl: directUrl = url } = config;
    return { url, directUrl, isEmbedded: false, description, stop: () => Promise.resolve() };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.debug(line), onLaunch });
  void server.crashed.then((error) => {
    log.fatal(error.message);
    process.exit(1);
  });
  const reason = server.isElsewhere
    ? `; PostgreSQL does not run as root, and others cannot reach ${config.dataDir}`
    : "";
  const description = `${server.dataDir}   (embedded PostgreSQL${reason})`;
  return { url: server.url, directUrl: server.url, isEmbedded: true, description, stop: () => server.stop() };
}
