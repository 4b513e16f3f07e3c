// PostgreSQL processes that a killed gateway left on a data folder: found, stopped, and their lock file removed.
import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends the processes that still run on the data folder; returns how many. Only for the owner of the folder's lock.
 * Those that ignore SIGINT and SIGQUIT are killed: the database recovers every commit from its log.
 */
export async function stopLeftovers(folder: string): Promise<number> {
  const data = await realpath(folder);
  const found = await serverProcesses(data);
  const patiences = { SIGINT: 4000, SIGQUIT: 2000, SIGKILL: 2000 } as const;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    for (const pid of await serverProcesses(data)) send(pid, signal);
    if (await gone(data, patiences[signal])) break;
  }
  // Now no process uses the data, even if the file names one: its process id may belong to another process by now.
  if (process.platform === "linux") await rm(join(data, "postmaster.pid"), { force: true });
  return found.length;
}

async function gone(data: string, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(20))
    if ((await serverProcesses(data)).length === 0) return true;
  return false;
}

/** Every process of a server works in its data folder: the server itself and those of its sessions. */
async function serverProcesses(data: string): Promise<number[]> {
  if (process.platform !== "linux") return recordedProcess(data);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // An error means that the process has ended, or is another user's.
  const works = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  const here = pids.filter((_, index) => works[index] === data);
  const names = await Promise.all(here.map((pid) => readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")));
  return here.filter((_, index) => names[index]?.trim() === "postgres").map(Number);
}

async function recordedProcess(data: string): Promise<number[]> {
  const [pid] = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n", 1);
  return pid && send(Number(pid), 0) ? [Number(pid)] : [];
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended
  }
}
