// Gives memory back when the gateway is idle: by itself V8 keeps what it took in a busy time.
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const everyMs = 5_000;

/** The CPU time, in milliseconds, that an idle process uses at most in that time: 3 % of one core. */
const idleCpuMs = 150;

/** The bytes by which the heap must have grown since the last time. */
const worthwhile = 16 * 1024 * 1024;

/**
 * From now on collects garbage whenever the process has been idle for some seconds and its heap has grown since the
 * last time. That takes about a tenth of a second, which a busy gateway never spends: it is not idle.
 */
export function freeMemoryWhenIdle(): void {
  const collect = garbageCollector();
  let smallest = 0;
  let cpuBefore = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuBefore = process.cpuUsage();
    const size = heapSize();
    // V8 hands free pages back some seconds after it has collected.
    smallest = Math.min(smallest, size);
    if ((user + system) / 1000 > idleCpuMs || size - smallest < worthwhile) return;
    collect();
    smallest = size;
    cpuBefore = process.cpuUsage();
  };
  setInterval(look, everyMs).unref();
}

/** Bytes that the heap holds, used or not, with the buffers outside of it. */
function heapSize(): number {
  const { total_heap_size: inside, external_memory: outside } = getHeapStatistics();
  return inside + outside;
}

/** V8's own collector: the function is only there with this flag, in contexts that are made after it is set. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
