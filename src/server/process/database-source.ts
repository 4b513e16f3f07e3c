// The database of the process: the one of DATABASE_URL, or the embedded one.
import type { Logger } from "pino";
import type { Config } from "#src/config/config.ts";
import { describeServers } from "#src/config/database-url.ts";
import { connectionsFor } from "#src/db/connection/connection-need.ts";
import type { OnLaunch } from "#src/db/embedded/server.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";

export interface DatabaseSource {
  readonly url: string;
  /** The address of PostgreSQL itself, if `url` is that of a pooler: for sessions. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  /** The location of the data, for people. Contains no password. */
  readonly description: string;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL unless DATABASE_URL is set; `onLaunch` receives its processes. If it ends by itself
 * the process exits with 1: the next start repairs the data and takes over remaining processes.
 */
export async function provideDatabase(config: Config, log: Logger, onLaunch: OnLaunch): Promise<DatabaseSource> {
  if (config.databaseUrl) {
    const description = `PostgreSQL of DATABASE_URL (${describeServers(config.databaseUrl)})`;
    const { databaseUrl: url, databaseDirectUrl: directUrl = url } = config;
    return { url, directUrl, isEmbedded: false, description, stop: () => Promise.resolve() };
  }
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    connections: connectionsFor(config),
    log: (line) => log.debug(line),
    onLaunch,
  });
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
