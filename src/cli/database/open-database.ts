// The database for a command: that of the running docgraph, or else opened for the duration of the command.
import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#src/config/config.ts";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { findHolder, FolderInUseError } from "#src/db/embedded/folder-lock.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate, type MigrateOptions } from "#src/db/maintenance/migrate.ts";
import { findSettingsFrom } from "#src/db/connection/sessions.ts";

/** Runs `work` on the migrated database that `npm start` would use, and leaves it as it was: running or stopped. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
  options: Pick<MigrateOptions, "isShared"> = {},
): Promise<Result> {
  return withSource(config, async (url) => {
    await migrate(url, options);
    // It may be the address of a pooler.
    const settingsFrom = await findSettingsFrom({ url, isLent: false, isPrepared: config.isPrepared });
    const database = openDatabase({ url, settingsFrom, isPrepared: config.isPrepared });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/** Runs `work` with the address of that database, without migrating it. */
export async function withSource<Result>(config: Config, work: (url: string) => Promise<Result>): Promise<Result> {
  const { databaseDirectUrl, databaseUrl, dataDir } = config;
  const url = databaseDirectUrl || databaseUrl || (await runningDatabase(dataDir));
  if (url) return work(url);
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

/** Waits until a docgraph (or another command) that is just starting publishes the address of its database. */
async function runningDatabase(dataDir: string): Promise<string | undefined> {
  await ensureFolder(dataDir);
  const folder = await realpath(dataDir);
  let holder = await findHolder(folder);
  for (const end = Date.now() + 10_000; holder && !holder.url; holder = await findHolder(folder)) {
    if (Date.now() > end) throw new FolderInUseError(folder, holder);
    await sleep(50);
  }
  return holder?.url;
}
