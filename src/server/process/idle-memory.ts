// Gives memory back when the gateway is idle: by itself V8 keeps what it took in a busy time.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A process that uses less CPU time than `cpuMs` in `everyMs`, 3 % of one core, is idle. */
const idle = { everyMs: 12_000, cpuMs: 360 } as const;

/**
 * From now on collects garbage after each busy time: three times while the process is idle, since V8 shrinks its heap
 * by what it finds the second time, and hands free pages back the third. Each takes about a tenth of a second.
 */
export function freeMemoryWhenIdle(): void {
  setFlagsFromString("--expose-gc"); // in contexts that are made from now on
  const collect = runInNewContext("gc") as () => void;
  let before = process.cpuUsage();
  let due = 3;
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (user + system > idle.cpuMs * 1000) due = 3;
    else if (due-- > 0) collect();
  }, idle.everyMs).unref();
}
