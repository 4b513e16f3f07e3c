// Several gateways on one port (`--workers`): the primary process of Node's cluster module owns the database, if it is
// embedded, the demo, the port and /metrics; its workers are gateways. A worker that ends is replaced, and SIGHUP
// restarts all of them, one after the other.
import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Config } from "#src/config/config.ts";
import { warnOfFewConnections } from "#src/db/connection/connection-need.ts";
import { type Backoff, backoffMs } from "#src/runtime/backoff.ts";
import { nodeOptionsFor } from "#src/runtime/memory.ts";
import { memoryOfGateway } from "#src/server/process/memory.ts";
import { openDatabases } from "#src/server/process/databases.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";
import { stopOnSignals } from "#src/server/process/lifecycle.ts";
import type { Serving } from "#src/server/process/serve.ts";
import { type ReadyFacts, WorkerError, type WorkerMessage, type WorkerStart } from "#src/server/process/worker.ts";

/** How long to wait before a worker that ended by itself is replaced. */
const replacing: Backoff = { firstMs: 500, mostMs: 30_000 };

/** A worker that served for so many milliseconds did not fail at its start. */
const longServedMs = 60_000;

/** Starts the workers, and serves until a signal ends the process. Rejects if a worker does not start. */
export async function runWorkers(serving: Omit<Serving, "taken">): Promise<void> {
  const { config, log, source, files, prepareDemo, announceReady } = serving;
  const { database, ...databases } = await openDatabases(config, source);
  await warnOfFewConnections({ database, log }, config, source);
  const demoToken = await prepareDemo(database, files);
  await databases.close();
  const { RateLimiterClusterMaster } = await import("rate-limiter-flexible");
  new RateLimiterClusterMaster(); // counts the points of users for all workers
  const execArgv = [...process.execArgv, ...nodeOptionsFor(memoryOfGateway(config))];
  // src/run.js took the name of the module out of the arguments, which Node would repeat.
  cluster.setupPrimary({ exec: fileURLToPath(new URL("../../run.js", import.meta.url)), args: ["main"], execArgv });
  const workers = new Workers({ source, port: config.port }, log);
  const stopMetrics = await serveMetricsOfAll(config, log);
  const leave = async () => {
    await workers.stop();
    await stopMetrics?.();
    await source.stop();
  };
  stopOnSignals(leave, { log, limitMs: longestStopOf(config), withParent: config.isRunByNpm });
  const facts = await workers.start(config.workers).catch(async (error: unknown) => {
    await workers.stop();
    throw error;
  });
  process.on("SIGHUP", () => void workers.restart());
  announceReady({ ...facts, demoToken });
}

/** Longer than a worker may take. */
const longestStopOf = ({ drainMs, stopGraceMs }: Config): number => drainMs + stopGraceMs + 30_000;

async function serveMetricsOfAll(config: Config, log: Logger) {
  if (config.metricsPort === undefined) return undefined;
  const [{ ClusterMetrics }, { listenForMetrics }] = await Promise.all([
    import("#src/server/process/metrics.ts"),
    import("#src/server/process/serve.ts"),
  ]);
  const server = await listenForMetrics(new ClusterMetrics(), config, log);
  return () => server.close();
}

/** The workers of this process. */
class Workers {
  readonly #start: WorkerStart;
  readonly #log: Logger;
  readonly #serving = new Set<Worker>();
  #failures = 0;
  #isLeaving = false;
  /** Restarts run one after the other. */
  #restarting: Promise<void> = Promise.resolve();

  constructor({ source, port }: { source: DatabaseSource; port: number }, log: Logger) {
    const { url, directUrl, isEmbedded, description } = source;
    this.#start = { source: { url, directUrl, isEmbedded, description }, port };
    this.#log = log;
  }

  /** Starts so many workers: the first alone, whose caches of compiled code the others use. */
  async start(count: number): Promise<ReadyFacts> {
    const facts = await this.#startOne();
    await Promise.all(Array.from({ length: count - 1 }, () => this.#startOne()));
    return facts;
  }

  /** Replaces each worker by a new one, which serves before the old one stops: nothing is cut. */
  restart(): Promise<void> {
    return (this.#restarting = this.#restarting.then(async () => {
      this.#log.info({ workers: this.#serving.size }, "restarting the workers, one after the other");
      const former = Array.from(this.#serving); // each adds its successor to the set
      for (const worker of former) {
        if (this.#isLeaving) return;
        try {
          await this.#startOne();
          await this.#end(worker);
        } catch (error) {
          this.#log.error({ err: error }, "the new worker did not start; the others keep serving");
          return;
        }
      }
      this.#log.info("the workers were restarted");
    }));
  }

  async stop(): Promise<void> {
    this.#isLeaving = true;
    await Promise.all(Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [this.#end(worker)] : [])));
  }

  /** Resolves when the worker serves; rejects if it ends before. */
  #startOne(): Promise<ReadyFacts> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      worker.on("message", (message: unknown) => {
        if (!isOfWorker(message)) return;
        if ("needs" in message) return void worker.send({ start: this.#start });
        this.#serving.add(worker);
        resolve(message.ready);
      });
      worker.once("exit", (code, signal: string | null) => {
        const wasServing = this.#serving.delete(worker);
        if (!wasServing)
          reject(new WorkerError(`a worker ended (${signal ?? code}) before it served: see the lines above`));
        else if (!this.#isLeaving) this.#replace(signal ?? code, performance.now() - startedAt);
      });
    });
  }

  #replace(reason: string | number, servedMs: number): void {
    this.#failures = servedMs > longServedMs ? 1 : this.#failures + 1;
    const inMs = backoffMs(replacing, this.#failures);
    this.#log.error({ reason, inMs }, "a worker ended; another one replaces it");
    setTimeout(() => {
      if (this.#isLeaving) return;
      this.#startOne().catch(() => !this.#isLeaving && this.#replace("it did not start", 0));
    }, inMs);
  }

  /** Has a worker finish its requests, and waits until it has ended. */
  async #end(worker: Worker): Promise<void> {
    this.#serving.delete(worker);
    if (worker.isDead()) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.process.kill("SIGTERM");
    await ended;
  }
}

const isOfWorker = (message: unknown): message is WorkerMessage =>
  typeof message === "object" && message !== null && ("ready" in message || "needs" in message);
