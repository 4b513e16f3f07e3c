// A PostgreSQL for one test, as durable as in production, that can be killed and starts again at the same address.
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";

export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  /** For reading the tables, past the gateways. */
  readonly pool: pg.Pool;
  /** Of the server's first process. */
  readonly pid: number;
  /** Settles when it ends by itself. */
  readonly ended: Promise<Error>;
  /** Ends it as an update does, and starts it again. */
  restart(): Promise<void>;
  /** Ends it by SIGKILL in the middle of whatever it does, and starts it again on what it has left. */
  crash(): Promise<void>;
}

/** Starts one, migrated and empty; in a folder of its own where none is given. */
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
