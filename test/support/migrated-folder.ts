// A data folder of the embedded PostgreSQL, migrated and empty, which a run of the tests makes once and copies: making
// one takes two seconds of CPU, a copy a fifth of a second.
import { execFile } from "node:child_process";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPlace } from "#src/db/embedded/place.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";

const run = promisify(execFile);

/** Names the folder for the workers of a run. Proofs outside of one have none. */
const variable = "MIGRATED_DATA_FOLDER";

/** In a run that a test of another run started, it is made of that one's. */
export async function makeMigratedFolder(dataDir: string): Promise<void> {
  await copyMigratedFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await migrate(server.url);
  await server.stop();
  process.env[variable] = dataDir;
}

/** Gives a new data folder the migrated database; does nothing where no run of the tests has made one. */
export async function copyMigratedFolder(dataDir: string): Promise<void> {
  const migrated = process.env[variable];
  if (migrated === undefined) return;
  await mkdir(dataDir, { recursive: true });
  const { folder } = await findPlace(await realpath(dataDir));
  await run("cp", ["-a", join(migrated, "postgres", "data"), folder]); // with its owner, which is not root
}
