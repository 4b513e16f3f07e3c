// The measured servers, each in its own process, and their CPU time.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { System } from "#test/bench/documents.ts";
import { databaseTime, untilJobsAreDone } from "#test/bench/start-jobs.ts";
import { freePort } from "#test/support/free-port.ts";

const root = path.resolve(import.meta.dirname, "../..");
const rivals = path.join(import.meta.dirname, "rivals");

export interface RunningSystem {
  readonly pid: number;
  readonly origin: string;
  stop(): Promise<void>;
}

const programs: Record<System | "stock-live" | "static", { file: string; environment?: Record<string, string> }> = {
  // The rivals do not log requests either.
  docgraph: {
    file: "src/main.ts",
    environment: { LOG_LEVEL: "warn", POINTS_PER_MINUTE: "1000000000000" },
  },
  postgraphile: { file: "postgraphile/server.ts" },
  stock: { file: "stock/server.ts", environment: { STOCK_VARIANT: "queries" } },
  "stock-joins": { file: "stock/server.ts", environment: { STOCK_VARIANT: "joins" } },
  "stock-live": { file: "stock-live/server.ts" },
  static: { file: "static/server.ts" },
  limit: { file: "limit/server.ts" },
  "limit-open": { file: "limit/server.ts" },
};

/**
 * The rivals keep their optimized code while others take their turn, as docgraph does by itself. Without this option V8
 * collects the whole heap in each pause of 8 seconds, and the next thousands of requests are slow.
 */
const steadyOptions = ["--memory-reducer-gc-count=0"];

/**
 * Starts a system on a free port and waits until it accepts connections, and docgraph until the jobs of its start are
 * done. Rejects with its output if it does not accept any within 30 s. docgraph is that of `checkout`, of this one by
 * default.
 */
export async function startSystem(
  system: keyof typeof programs,
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
  checkout = root,
): Promise<RunningSystem> {
  const { file, environment } = programs[system];
  const port = await freePort();
  const isOurs = system === "docgraph";
  const cwd = isOurs ? checkout : rivals;
  const since = isOurs ? await databaseTime(databaseUrl) : "";
  const child = spawn(process.execPath, [...(isOurs ? [] : steadyOptions), path.join(cwd, file)], {
    cwd,
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      HOST: "127.0.0.1",
      PORT: String(port),
      ...environment,
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  const origin = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + 30_000;
  while (!(await answers(origin))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop(child);
      throw new Error(`${system} did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (isOurs)
    await untilJobsAreDone(databaseUrl, since, checkout !== root).catch(async (error: unknown) => {
      await stop(child);
      throw error;
    });
  return { pid: child.pid ?? 0, origin, stop: () => stop(child) };
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin, { signal: AbortSignal.timeout(2000) });
    return true;
  } catch {
    return false;
  }
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

const ticksPerSecond = 100; // of /proc, on every Linux

/** User and system time of a process so far, in milliseconds; null without /proc. */
export function cpuTime(pid: number): number | null {
  const fields = statFields(String(pid));
  return fields && ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/**
 * The same for each child process: those of a PostgreSQL server are its connections and workers. Null where there is no
 * /proc.
 */
export function cpuTimesOfChildren(parent: number): ReadonlyMap<number, number> | null {
  if (cpuTime(parent) === null) return null;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(statFields(name)?.[1]) === parent);
  return new Map(pids.map((pid) => [Number(pid), cpuTime(Number(pid)) ?? 0]));
}

/** The fields of /proc/<pid>/stat after the command's name: state, parent, ... */
function statFields(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
