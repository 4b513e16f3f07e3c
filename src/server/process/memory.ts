// The memory of the gateways of this process: from MEMORY_MB, the limit of the container, or the machine.
import { totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Config } from "#src/config/config.ts";
import { nodeOptionsFor } from "#src/runtime/memory.ts";

const megabyte = 1024 * 1024;
/** The embedded PostgreSQL, which shares the container or the machine. */
const embeddedMegabytes = 400;
/** The part of a machine without a container that is not left to other software. */
const partOfMachine = 3 / 4;

type Settings = Pick<Config, "memoryMegabytes" | "databaseUrl" | "workers">;

/** The megabytes of one gateway. MEMORY_MB is for all workers, without PostgreSQL. */
export function memoryOfGateway(
  { memoryMegabytes, databaseUrl, workers }: Settings,
  container = process.constrainedMemory(),
  machine = totalmem(),
): number {
  // Without a limit it is 0, or far more than the machine has.
  const found = container > 0 && container < machine ? container : machine * partOfMachine;
  const all = memoryMegabytes ?? found / megabyte - (databaseUrl === undefined ? embeddedMegabytes : 0);
  return Math.floor(all / workers);
}

const entry = fileURLToPath(new URL("../../run.js", import.meta.url));

/** Starts the process again, with the same id, if Node has to know the memory: it cannot learn it later. */
export function restartForMemory(config: Config): void {
  const options = config.workers === 1 ? nodeOptionsFor(memoryOfGateway(config)) : [];
  const isKnown = process.execArgv.some((option) => option.startsWith("--max-old-space-size"));
  if (options.length === 0 || isKnown || process.platform === "win32") return;
  const words = [...process.execArgv, ...options, entry, "main", ...process.argv.slice(2)];
  process.execve?.(process.execPath, [process.execPath, ...words]);
}
