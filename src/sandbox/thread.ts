// The thread in which scripts run, one at a time. Its environment is empty, and it yields to the gateway's own threads.
import { parentPort, workerData } from "node:worker_threads";
import type { LogLevel, FromThread, ToThread } from "#src/sandbox/messages.ts";
import { lowerPriority } from "#src/runtime/priority.ts";
import { type Machine, machinesOf, type Outside } from "#src/sandbox/machine.ts";

/** The start data of a thread: the compiled engine, and the shared time since which it runs a script's code. */
export interface ThreadData {
  readonly engine: WebAssembly.Module;
  readonly busySince: BigInt64Array;
}

const { engine, busySince } = workerData as ThreadData; // passed by the pool
const makeMachine = machinesOf(engine);
let next = makeMachine();
let current: Machine | null = null;

lowerPriority(10);

const post = (message: FromThread): void => parentPort?.postMessage(message);

const outside: Outside = {
  log: (level: LogLevel, message) => post({ type: "log", level, message, at: Date.now() }),
  call: (id, call) => post({ type: "call", id, call }),
  end: (end, about) => {
    current = null;
    post({ type: "end", end, ...about });
    next = makeMachine();
  },
  busy: (isBusy) => void Atomics.store(busySince, 0, isBusy ? process.hrtime.bigint() : 0n),
};

async function take(message: ToThread): Promise<void> {
  if (message.type === "answer") return current?.answer(message.id, message.answer);
  const machine = await next;
  current = machine;
  if (message.type === "check") machine.check(message.script, message.limits, outside);
  else machine.start(message.run, message.limits, outside);
}

parentPort?.on("message", (message: ToThread) => void take(message)); // an error ends the thread
await next;
post({ type: "ready" });
