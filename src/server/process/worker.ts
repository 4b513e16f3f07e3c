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

/** Waits for what the primary process says first. The primary process stops the database. */
export async function receiveStart(): Promise<{ readonly source: DatabaseSource; readonly port: number }> {
  const { source, port } = await new Promise<WorkerStart>((resolve) => process.once("message", resolve));
  return { source: { ...source, stop: () => Promise.resolve() }, port };
}

/** Tells the primary process that this worker serves. */
export function reportReady(facts: ReadyFacts): void {
  process.send?.({ ready: facts });
}

/** Counts the points of users in the primary process, for all workers. */
export async function costsInPrimary(): Promise<CostStore & { close(): Promise<void> }> {
  const { RateLimiterCluster } = await import("rate-limiter-flexible");
  const limiter = new RateLimiterCluster({ points: 1, duration: 60, keyPrefix: "points", timeoutMs: 1000 });
  return { penalty: (key, points) => limiter.penalty(key, points), close: () => Promise.resolve() };
}
