// A PostgreSQL for one test, as durable as in production, that can be killed and restarted at the same address.
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";

export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  /** A pool for reading tables directly. */
  readonly pool: pg.Pool;
  /** The process id of the postmaster. */
  readonly pid: number;
  /** Settles if the server exits by itself. */
  readonly ended: Promise<Error>;
  /** Restarts it gracefully. */
  restart(): Promise<void>;
  /** Kills it with SIGKILL and starts it again on the same data. */
  crash(): Promise<void>;
}

/** Starts a migrated, empty PostgreSQL; in a temporary folder by default. */
export async function startOwnPostgres(place?: string): Promise<OwnPostgres> {
  const folder = await makeDataFolder();
  const start = () => startEmbeddedPostgres({ dataDir: place ?? folder.env.DATA_DIR });
  if (place === undefined) await copyMigratedFolder(folder.env.DATA_DIR);
  let server: EmbeddedPostgres = await start();
  const { url, dataDir } = server;
  await migrate(url); // does nothing in a copy
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {}); // it is killed under its connections
  async function restart(): Promise<void> {
    await server.stop(); // frees the folder
    server = await start();
    if (server.url !== url) throw new Error(`PostgreSQL has moved to ${server.url}`);
  }
  return {
    url,
    pool,
    get pid() {
      return server.pid;
    },
    get ended() {
      return server.crashed;
    },
    restart,
    async crash() {
      process.kill(server.pid, "SIGKILL");
      await server.crashed;
      await restart();
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server.stop();
      await folder.remove(dataDir);
    },
  };
}
