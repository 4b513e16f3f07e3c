// Starts the process: PostgreSQL starts while the server code is loaded, which takes a second or more.
import { limitMemory } from "#src/runtime/memory.ts";
import { lowerPriorityOfPool } from "#src/runtime/priority.ts";
import { memoryOfGateway } from "#src/server/process/memory.ts";
import type { Config } from "#src/config/config.ts";
import { createLog } from "#src/base/log.ts";
import { type DatabaseSource, provideDatabase } from "#src/server/process/database-source.ts";
import { type DemoOptions, provideDemo, readDemoToken } from "#src/server/process/demo.ts";
import { surviveUnhandledRejections } from "#src/server/process/lifecycle.ts";
import type { Serving } from "#src/server/process/serve.ts";
import { isWorker, type ReadyFacts, requestStart, reportReady } from "#src/server/process/worker.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { type FileStore, isStoreAway } from "#src/files/file-store.ts";
import { openFileStore } from "#src/files/open-store.ts";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import type { Logger } from "pino";
import { findHolder, FolderInUseError } from "#src/db/embedded/folder-lock.ts";

interface StartOptions extends DemoOptions {
  /** Confirms questions: tables beside those of other software, the demo in DATABASE_URL. */
  readonly yes?: boolean | undefined;
}

/** Starts docgraph; it stops at a signal. Rejects with an error that a person can fix, or a bug. */
export async function startDocgraph(config: Config, options: StartOptions = {}): Promise<void> {
  limitMemory(memoryOfGateway(config), config.cacheMegabytes);
  void lowerPriorityOfPool(); // nothing waits for it
  const log = await createLog({ level: config.logLevel, isTerminal: process.stdout.isTTY });
  surviveUnhandledRejections(log);
  if (isWorker()) return startWorker(config, log);
  const port = await requireFreePort(config);
  const taken = await documentsTaken(config);
  const launched = { any: Promise.withResolvers<void>(), server: Promise.withResolvers<void>() };
  const starting = provideDatabase(config, log, (program) => {
    launched.any.resolve();
    if (program === "postgres") launched.server.resolve();
  });
  const migrating = starting.then(async (source) => {
    const files = await openTidyStore(config, log);
    await migrate(source.directUrl, { log: (message) => log.info(message), isShared: options.yes ?? false });
    return { source, files };
  });
  try {
    const { serve, announce } = await load(launched, migrating);
    const prepareDemo = provideDemo(config, options);
    const announceReady = (facts: ReadyFacts) => announce(config, log, facts);
    const serving = { config, log, ...(await migrating), prepareDemo, taken, announceReady };
    if (config.workers === 1) return await serve(serving);
    const { runWorkers } = await import("#src/server/process/workers.ts");
    await runWorkers({ ...serving, config: { ...config, port } });
  } catch (error) {
    await starting.then(
      (source) => source.stop(),
      () => {},
    );
    throw error;
  }
}

type Launched = Readonly<Record<"any" | "server", { readonly promise: Promise<void> }>>;

interface Migrated {
  readonly source: DatabaseSource;
  readonly files: FileStore;
}

/**
 * Loads the server code, in two pieces. Loading blocks this process, so each waits until PostgreSQL is busy: the first
 * while it creates the data folder of a first start, the second while the server starts. With DATABASE_URL both come
 * after the migrations, so that an unusable database or folder is rejected at once.
 */
async function load(launched: Launched, migrating: Promise<Migrated>) {
  await Promise.race([launched.any.promise, migrating]);
  await import("#src/schema.ts");
  await Promise.race([launched.server.promise, migrating]);
  return import("#src/server/process/serve.ts");
}

/** Serves the database of the primary process. */
async function startWorker(config: Config, log: Logger): Promise<void> {
  const [{ source, port }, taken, files] = await Promise.all([
    requestStart(),
    documentsTaken(config),
    openFileStore(config),
  ]);
  const { serve } = await import("#src/server/process/serve.ts");
  const prepareDemo = () => readDemoToken(config);
  await serve({ config: { ...config, port }, log, source, files, prepareDemo, taken, announceReady: reportReady });
}

/** A store that is unreachable does not keep the gateway from starting: all but files works. */
export async function openTidyStore(config: Pick<Config, "filesDir" | "s3">, log: Pick<Logger, "warn">) {
  const files = await openFileStore(config);
  await files.tidy().catch((error: unknown) => {
    if (!isStoreAway(error)) throw error;
    log.warn({ err: error }, "The file storage cannot be reached: files are UNAVAILABLE until it can.");
  });
  return files;
}

async function documentsTaken(config: Config): Promise<Serving["taken"]> {
  const { trustedDocumentsFiles: paths, trustedDocumentsOnly: trustedOnly } = config;
  if (!paths) return { trustedOnly };
  const { loadDocuments } = await import("#src/server/process/load-documents.ts");
  return { trusted: await loadDocuments(paths), trustedOnly };
}

/**
 * Returns the port, chosen by the system if it is 0. Throws if the address is not available: the system's error, or
 * that docgraph already runs on the data folder.
 */
async function requireFreePort({ host, port, dataDir, databaseUrl }: Config): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
    const { port: free } = server.address() as AddressInfo; // a TCP server's address is never a path
    await once(server.close(), "close");
    return free;
  } catch (error) {
    const folder = databaseUrl === undefined ? await realpath(dataDir).catch(() => null) : null;
    const holder = folder === null ? undefined : await findHolder(folder);
    throw folder !== null && holder ? new FolderInUseError(folder, holder) : error;
  }
}
