// The PostgreSQL processes: creates a data folder, and runs and stops the server on it.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, EmbeddedError, socketFolderFromData } from "#src/db/embedded/place.ts";
import type { Binaries } from "#src/db/embedded/binaries.ts";

export interface RunningServer {
  readonly pid: number;
  /** Settles if the process ends unexpectedly, with a message for people. */
  readonly crashed: Promise<Error>;
  stop(): Promise<void>;
}

/** Called when a process was launched: the one that creates the data folder, or the server. */
export type OnLaunch = (program: "initdb" | "postgres") => void;

interface Launching {
  readonly data: string;
  readonly account: Account;
  readonly durable: boolean;
  readonly onLaunch: OnLaunch;
}

/**
 * Creates a data folder, which gets its name at the very end: an interrupted run leaves none. The temporary name
 * differs each time, since the initdb of a killed run continues for a short time, and removes its folder.
 */
export async function initialise(binaries: Binaries, { data, account, durable, onLaunch }: Launching): Promise<void> {
  const unfinished = `${data}.${randomBytes(4).toString("hex")}.new`;
  await removeUnfinished(data);
  const child = launch(binaries.initdb, initArguments(unfinished, durable), account);
  onLaunch("initdb");
  const output = collect(child);
  const code = await exit(child);
  if (code !== 0) throw new EmbeddedError(`initdb could not create ${data} (${code}):\n${output.text()}`);
  await rename(unfinished, data);
  await removeUnfinished(data);
}

/** Removes the rest of interrupted runs; if one still writes there, the next of these calls removes it. */
async function removeUnfinished(data: string): Promise<void> {
  const [folder, start] = [dirname(data), `${basename(data)}.`];
  for (const name of await readdir(folder))
    if (name.startsWith(start) && name.endsWith(".new"))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
}

interface Running {
  /** How many connections the server accepts at least. */
  readonly connections: number;
  readonly log: (message: string) => void;
}

/** Starts the server and waits until it accepts connections. */
export async function runServer(
  binaries: Binaries,
  { connections, onLaunch, log, ...launching }: Launching & Running,
): Promise<RunningServer> {
  const { data, account, durable } = launching;
  const child = launch(binaries.postgres, serverArguments(data, durable, connections), account);
  onLaunch("postgres");
  const output = collect(child, log);
  const ended = exit(child);
  const ready = output.until("database system is ready to accept "); // of a replica: read-only connections
  const outcome = await Promise.race([ready, ended, sleep(60_000, "took more than 60 s", { ref: false })]);
  if (outcome !== true || child.pid === undefined) {
    child.kill("SIGQUIT");
    throw new EmbeddedError(`PostgreSQL did not start on ${data} (${outcome}):\n${output.text()}`);
  }
  const stopWithProcess = () => void child.kill("SIGINT");
  process.once("exit", stopWithProcess);
  let isStopping = false;
  return {
    pid: child.pid,
    crashed: new Promise((settle) => {
      const crash = (how: string | number) => new Error(`PostgreSQL ended unexpectedly (${how}); start docgraph again`);
      void ended.then((how) => isStopping || settle(crash(how)));
    }),
    async stop() {
      isStopping = true;
      process.off("exit", stopWithProcess);
      child.kill("SIGINT"); // ends the sessions and writes a checkpoint
      const patience = setTimeout(() => child.kill("SIGQUIT"), 15_000);
      await ended;
      clearTimeout(patience);
    },
  };
}

/** In a process group of its own: Ctrl-C is for the gateway, which stops the server after its last requests. */
function launch(program: string, args: string[], account: Account): ChildProcess {
  const env = { LC_ALL: "C", TZ: "UTC" }; // nothing else: PGPORT and the like would change the server
  return spawn(program, args, { ...account, env, cwd: "/", detached: true, stdio: ["ignore", "pipe", "pipe"] });
}

/** The exit code or the signal; the error if the program could not be run at all. */
function exit(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? String(signal)));
  });
}

/** Keeps the last lines, for the message of a failure. */
function collect(child: ChildProcess, log?: (message: string) => void) {
  const lines: string[] = [];
  const awaited = new Map<string, () => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      for (const line of chunk.split("\n").filter(Boolean)) {
        lines.push(line);
        if (lines.length > 40) lines.shift();
        log?.(line);
      }
      for (const [text, found] of awaited) if (chunk.includes(text)) found();
    });
  }
  return {
    text: () => lines.join("\n"),
    until: (text: string) => new Promise<true>((found) => void awaited.set(text, () => found(true))),
  };
}

/** For `initdb`. The built-in locale sorts text in the same way on every system. */
function initArguments(data: string, durable: boolean): string[] {
  const account = ["--username=docgraph", "--auth=trust"];
  const text = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  return ["-D", data, ...account, ...text, ...(durable ? [] : ["--no-sync"])];
}

/** Sane for two cores. `trust` is safe: no TCP port is open, and only the account enters the socket folder. */
const settings = {
  listen_addresses: "",
  port: "5432", // only a part of the socket's name
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_statement: "none",
  log_checkpoints: "off",
};

/** A crash of the machine may destroy the data: for tests. */
const forgetful = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "400", // each worker keeps the pools of several applications
  max_prepared_transactions: "5", // as other programs on the server may use them
  autovacuum: "off", // short-lived data need no vacuum, and tests set the statistics themselves
};

/** Accepts at least `connections`. */
function serverArguments(data: string, durable: boolean, connections: number): string[] {
  const chosen = { ...settings, ...(durable ? {} : forgetful) };
  const most = String(Math.max(Number(chosen.max_connections), connections));
  const all = { ...chosen, max_connections: most, unix_socket_directories: socketFolderFromData };
  return ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
