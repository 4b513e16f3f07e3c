// The side of a worker (see workers.ts): it learns the database from the primary process, and reports to it.
import cluster from "node:cluster";
import type { CostStore } from "#src/domain/quota.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";

/** What a worker gets from the primary process: where the data is, and the port. */
export interface WorkerStart {
  readonly source: Omit<DatabaseSource, "stop">;
  /** The same for all of them, also if the configuration has 0. */
  readonly port: number;
}

/** What people want to know of a gateway that serves. */
export interface ReadyFacts {
  readonly url: string;
  /** Where the data is. */
  readonly data: string;
  readonly demoToken: string | undefined;
  /** Whether it has no organization yet. */
  readonly isEmpty: boolean;
  /** What its data needs from the operator, as sentences. */
  readonly warnings: readonly string[];
}

/** A worker did not start; it has said why. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
}

/** Whether this process is a worker. */
export const isWorker = (): boolean => cluster.isWorker;

/** The messages of a worker: it asks for its {@link WorkerStart}, and tells that it serves. */
export type WorkerMessage = { readonly needs: "start" } | { readonly ready: ReadyFacts };

/** Asks the primary process for the start message: one that came unasked could find no listener. */
export async function requestStart(): Promise<{ readonly source: DatabaseSource; readonly port: number }> {
  const { source, port } = await new Promise<WorkerStart>((resolve) => {
    const read = (message: unknown): void => {
      if (!isStart(message)) return; // of other listeners
      process.off("message", read);
      resolve(message.start);
    };
    process.on("message", read);
    tellPrimary({ needs: "start" });
  });
  return { source: { ...source, stop: () => Promise.resolve() }, port }; // the primary process stops the database
}

const isStart = (message: unknown): message is { readonly start: WorkerStart } =>
  typeof message === "object" && message !== null && "start" in message;

const tellPrimary = (message: WorkerMessage): void => void process.send?.(message);

/** Tells the primary process that this worker serves. */
export function reportReady(facts: ReadyFacts): void {
  tellPrimary({ ready: facts });
}

/** Counts the points of users in the primary process, for all workers. */
export async function costsInPrimary(): Promise<CostStore & { close(): Promise<void> }> {
  const { RateLimiterCluster } = await import("rate-limiter-flexible");
  const limiter = new RateLimiterCluster({ points: 1, duration: 60, keyPrefix: "points", timeoutMs: 1000 });
  return { penalty: (key, points) => limiter.penalty(key, points), close: () => Promise.resolve() };
}
