// A throw-away PostgreSQL, for tests and for authoring migrations: fast, in a temporary folder, gone when it stops.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#src/db/embedded/start.ts";

/** Starts one; `stop()` removes it. */
export async function startScratchPostgres(log?: (message: string) => void): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "docgraph-scratch-"));
  await chmod(dataDir, 0o755); // so that the account that serves for root can go through to the data, which stay private
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
