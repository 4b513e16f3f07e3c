// A data folder with an organization in its database, for tests of processes: a gateway that finds users there writes
// no demo, which takes seconds of CPU to write and to index.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";
import { createWorld } from "#test/support/world.ts";

/**
 * Writes an organization, the token of its admin where a start finds that of the demo, and what `more` adds. Returns
 * the organization, its people and the place of the data.
 */
export async function fillFolder(dataDir: string, more: (database: Database) => Promise<void> = async () => {}) {
  await copyMigratedFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await migrate(server.url); // does nothing in a copy
  const database = openDatabase({ url: server.url });
  const made = await createWorld(database).organization();
  await writeFile(join(dataDir, "demo-token"), made.admin.token);
  await more(database);
  await database.close();
  await server.stop();
  return { ...made, place: server.dataDir };
}
