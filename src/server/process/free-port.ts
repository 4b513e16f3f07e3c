// Whether the port is free, before anything is started that would have to be stopped again.
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import type { Config } from "#src/config/config.ts";
import { findHolder, FolderInUseError } from "#src/db/embedded/folder-lock.ts";

/**
 * Throws where nobody can listen there now: the error of the system, such as EADDRINUSE, or that docgraph runs on the
 * same data folder already, which then most likely has the port.
 */
export async function requireFreePort({ host, port, dataDir, databaseUrl }: Config): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
    await once(server.close(), "close");
  } catch (error) {
    const folder = databaseUrl === undefined ? await realpath(dataDir).catch(() => null) : null;
    const holder = folder === null ? undefined : await findHolder(folder);
    throw folder !== null && holder ? new FolderInUseError(folder, holder) : error;
  }
}
