// A throw-away PostgreSQL, for tests and for authoring migrations: fast, in a temporary folder, deleted at its end.
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "#src/db/embedded/folder-lock.ts";
import { stopLeftovers } from "#src/db/embedded/leftovers.ts";
import { exists } from "#src/db/embedded/place.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#src/db/embedded/start.ts";

/** Not the folder of versions with another lock: each would take the other's servers for abandoned ones. */
const prefix = "docgraph-throw-away-";

/** Starts a server; `stop()` deletes it. Servers left by killed processes are deleted, too. */
export async function startScratchPostgres(log?: (message: string) => void): Promise<EmbeddedPostgres> {
  await removeAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), prefix));
  // So that the account that runs PostgreSQL for root can reach the data, which stay private.
  await chmod(dataDir, 0o755);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDir, durable: false, ...(log && { log }) });
    return {
      ...server,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  // An error means that the folder is in use, or that another run was faster.
  for (const name of names) await removeIfAbandoned(join(tmpdir(), name)).catch(() => {});
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const { uid, ctimeMs } = await stat(folder);
  if (uid !== process.getuid?.() || Date.now() - ctimeMs < 60_000) return; // it may not be locked yet
  const lock = await lockFolder(folder);
  try {
    const data = join(folder, "postgres/data");
    if (await exists(data)) await stopLeftovers(data);
    await rm(folder, { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}
