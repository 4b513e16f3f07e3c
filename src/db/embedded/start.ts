// The embedded PostgreSQL: server programs from npm on a folder of docgraph, so that nothing needs to be installed.
import { readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { findBinaries } from "#src/db/embedded/binaries.ts";
import { EmbeddedError, exists, findPlace, makeSocketFolder, noteLocation } from "#src/db/embedded/place.ts";
import { type Place, refuseLostDatabase } from "#src/db/embedded/place.ts";
import { lockFolder } from "#src/db/embedded/folder-lock.ts";
import { stopLeftovers } from "#src/db/embedded/leftovers.ts";
import { shortPath } from "#src/db/embedded/short-path.ts";
import { initialise, type OnLaunch, runServer } from "#src/db/embedded/server.ts";

export interface EmbeddedPostgres {
  /** Address of the database `docgraph`; others of the same server by {@link databaseUrl}. */
  readonly url: string;
  /** The location of the data: `dataDir` of the options, or another one if root could not use that. */
  readonly dataDir: string;
  readonly isElsewhere: boolean;
  readonly isNew: boolean;
  readonly pid: number;
  /** Settles if the server ends by itself: the database is unavailable then. */
  readonly crashed: Promise<Error>;
  /** Stops the server and frees the folder. Everything committed is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log?: (message: string) => void;
  /** Called with each process that was launched; they outlive this one. */
  readonly onLaunch?: OnLaunch;
  /** How many connections the server accepts at least; 100 by default. */
  readonly connections?: number;
  /** False risks the data when the machine crashes, for speed: tests only. */
  readonly durable?: boolean;
}

/**
 * Starts the server on `dataDir`, which it creates on first use, and takes over from a killed process. Throws, with
 * nothing changed, FolderInUseError for a folder in use, and EmbeddedError if its former database is missing.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await ensureFolder(options.dataDir);
  const wanted = await realpath(options.dataDir);
  const lock = await lockFolder(wanted);
  try {
    const place = await findPlace(wanted);
    if (!(await exists(join(place.data, "PG_VERSION")))) await refuseLostDatabase(wanted, place.data);
    const server = await startIn(place, options);
    await noteLocation(wanted, place.data).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    lock.publish(server.url);
    return { ...server, stop: () => server.stop().then(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startIn(place: Place, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { connections = 0, durable = true, log = () => {}, onLaunch = () => {} } = options;
  const { data, account } = place;
  const binaries = await findBinaries(account);
  const isNew = !(await exists(join(data, "PG_VERSION")));
  const launching = { data, account, durable, onLaunch };
  if (isNew) await initialise(binaries, launching);
  else await refuseOtherVersion(data, binaries.majorVersion);
  const leftovers = await stopLeftovers(data);
  const stopped = `stopped ${leftovers} PostgreSQL processes that it had left running`;
  if (leftovers > 0) log(`took over from a killed docgraph: ${stopped}`);
  const socketFolder = await makeSocketFolder(place);
  const server = await runServer(binaries, { ...launching, connections, log });
  const socket = await shortPath(socketFolder, ".s.PGSQL.5432".length);
  async function stop(): Promise<void> {
    await server.stop();
    await socket.close();
    await rm(socketFolder, { recursive: true, force: true });
  }
  const maintenance = `postgres://docgraph@localhost:5432/postgres?host=${encodeURIComponent(socket.path)}`;
  await createDatabase(maintenance).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const url = databaseUrl(maintenance, "docgraph");
  const { folder: dataDir, isElsewhere } = place;
  return { url, dataDir, isElsewhere, isNew, pid: server.pid, crashed: server.crashed, stop };
}

/** The address of another database of the server at `url`. */
export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function refuseOtherVersion(data: string, majorVersion: string): Promise<void> {
  const version = (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  if (version === majorVersion) return;
  throw new EmbeddedError(
    `the data in ${data} were written by PostgreSQL ${version}, and this docgraph runs ${majorVersion}; migrate them with pg_dump`,
  );
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'docgraph'");
    if (rowCount === 0) await client.query("CREATE DATABASE docgraph");
  } finally {
    await client.end();
  }
}
