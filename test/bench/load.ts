// One burst of load on one system, with its time and the CPU of the server and of PostgreSQL.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Ask } from "#test/bench/documents.ts";
import { benchToken } from "#test/bench/generate.ts";
import type { Burst, BurstFigures } from "#test/bench/load-worker.ts";
import { cpuTime, cpuTimesOfChildren, type RunningSystem } from "#test/bench/processes.ts";

export interface Figures extends BurstFigures {
  readonly perSecond: number;
  /** CPU milliseconds per request of the server, its child processes included, and of PostgreSQL; null if unknown. */
  readonly serverCpu: number | null;
  readonly databaseCpu: number | null;
}

const run = promisify(execFile);
const worker = path.join(import.meta.dirname, "load-worker.ts");

const headers = (ask: Ask) => ({
  ...(ask.isPublic ? { accept: "text/html" } : { authorization: `Bearer ${benchToken}` }),
  ...(ask.body && { "content-type": "application/json" }),
});

/**
 * Loads a system for some seconds, as fast as it responds or at most at a rate. Rejects if a response was not
 * 200.
 */
export async function load(
  target: { running: RunningSystem; ask: Ask; postmaster: number },
  how: { connections: number; seconds: number; perSecond?: number },
): Promise<Figures> {
  const { running, ask, postmaster } = target;
  const burst: Burst = {
    url: `${running.origin}${ask.path}`,
    connections: how.connections,
    duration: how.seconds,
    timeout: 120,
    ...(how.perSecond !== undefined && { overallRate: how.perSecond }),
    method: ask.body ? "POST" : "GET",
    headers: headers(ask),
    ...(ask.body && { body: JSON.stringify(ask.body) }),
  };
  const before = { server: cpuTimeOfAll(running.pid), database: cpuTimesOfChildren(postmaster) };
  const { stdout } = await run(process.execPath, [worker, JSON.stringify(burst)], { maxBuffer: 1e7 });
  const after = { server: cpuTimeOfAll(running.pid), database: cpuTimesOfChildren(postmaster) };
  const figures = JSON.parse(stdout) as BurstFigures; // printed by load-worker.ts
  if (figures.failures > 0)
    throw new Error(`${figures.failures} of ${figures.requests} requests to ${burst.url} failed`);
  const server = before.server === null || after.server === null ? null : after.server - before.server;
  const database = after.database && grown(before.database ?? new Map(), after.database);
  return {
    ...figures,
    perSecond: figures.requests / figures.seconds,
    serverCpu: server === null ? null : server / figures.requests,
    databaseCpu: database === null ? null : database / figures.requests,
  };
}

/** CPU time of a process and its children; null if unknown. */
function cpuTimeOfAll(pid: number): number | null {
  const own = cpuTime(pid);
  const ofChildren = cpuTimesOfChildren(pid);
  return own && [...(ofChildren?.values() ?? [])].reduce((sum, time) => sum + time, own);
}

/** CPU time of the processes meanwhile, without those that ended: idle connections closed by a pool. */
function grown(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}

/** Sends one request and reads the response. Rejects unless it is 200 without GraphQL errors. */
export async function askOnce(running: RunningSystem, ask: Ask): Promise<unknown> {
  const body = ask.body && JSON.stringify(ask.body);
  const response = await fetch(`${running.origin}${ask.path}`, {
    method: body ? "POST" : "GET",
    headers: headers(ask),
    ...(body && { body }),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { errors?: unknown };
  if (response.status !== 200 || answer.errors)
    throw new Error(`${running.origin}${ask.path} answered ${response.status}: ${text.slice(0, 500)}`);
  return answer;
}
