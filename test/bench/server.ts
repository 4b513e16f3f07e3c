// The benchmark's own PostgreSQL: the embedded server as `npm start` runs it, under .data/bench, kept between runs,
// counting its statements.
import path from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#src/db/embedded/start.ts";

/** The folder of the benchmark. */
export const benchDirectory = path.resolve(import.meta.dirname, "../../.data/bench");

/**
 * In addition to the settings of every embedded server. No parallel workers, since all parts of the benchmark share the
 * two cores.
 */
const settings = {
  shared_preload_libraries: "pg_stat_statements",
  max_parallel_workers_per_gather: "0",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
};

export interface BenchServer extends EmbeddedPostgres {
  readonly version: string;
}

/** Starts the server, creating its data folder on first use. */
export async function startServer(): Promise<BenchServer> {
  const start = () => startEmbeddedPostgres({ dataDir: benchDirectory, connections: 400 }); // eight workers
  let server = await start();
  if (!(await areSettingsMade(server.url))) {
    await server.stop(); // they take effect at a start
    server = await start();
  }
  const [row] = await query<{ version: string }>(server.url, "select current_setting('server_version') as version");
  return { ...server, version: row?.version ?? "unknown" };
}

/** Writes the settings; false if that changed any of them. */
async function areSettingsMade(url: string): Promise<boolean> {
  const rows = await query<{ name: string; setting: string }>(
    url,
    `select name, current_setting(name) as setting from pg_settings where name = any('{${Object.keys(settings).join()}}')`,
  );
  const changed = Object.entries(settings).filter(
    ([name, value]) => rows.find((row) => row.name === name)?.setting !== value,
  );
  for (const [name, value] of changed) await query(url, `alter system set ${name} = '${value}'`);
  return changed.length === 0;
}

/** Runs statements on a new connection, and returns the rows of a single one. */
export async function query<Row extends object>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}
