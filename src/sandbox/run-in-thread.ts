// One run seen from the gateway: its script is sent to a thread, its calls are answered, and the thread is ended if
// stuck.
import { AsyncResource } from "node:async_hooks";
import type { Worker } from "node:worker_threads";
import type { RunLimits } from "#src/sandbox/limits.ts";
import type {
  CallAnswer,
  FromThread,
  LogLevel,
  RunEnd,
  ScriptCall,
  ScriptRun,
  ToThread,
} from "#src/sandbox/messages.ts";

/** A line that a script has logged. */
interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly at: Date;
}

/** What became of a run. */
export interface RunResult {
  readonly end: RunEnd;
  readonly logs: readonly LogLine[];
  /** Milliseconds on the processor, and from the start to the end. */
  readonly cpuMs: number;
  readonly totalMs: number;
}

/** Answers what a script asks; what it throws is not shown to the script. The signal ends with the run. */
export type AnswerCall = (call: ScriptCall, signal: AbortSignal) => Promise<CallAnswer>;

/** A thread for scripts. */
export interface ScriptThread {
  readonly worker: Worker;
  /** Since when it runs a script's code, in nanoseconds of `hrtime`; 0 while it does not. */
  readonly busySince: BigInt64Array;
}

/** How far a script may overrun before its thread is ended: work inside the engine is not always interrupted. */
const graceMs = 1_500;
const lookEveryMs = 250;
const unanswered: CallAnswer = { ok: false, message: "The gateway could not answer this." };

/** Runs a script in a thread that has nothing else to do, which may be used again only if `isHealthy` is answered. */
export async function runInThread(
  thread: ScriptThread,
  limits: RunLimits,
  run: ScriptRun,
  answer: AnswerCall,
): Promise<{ result: RunResult; isHealthy: boolean }> {
  const started = performance.now();
  const logs: LogLine[] = [];
  const over = new AbortController();
  const { worker } = thread;
  const send = (message: ToThread): void => worker.postMessage(message);
  const reply = async (id: number, call: ScriptCall): Promise<void> => {
    const given = await answer(call, over.signal).catch(() => unanswered);
    if (!over.signal.aborted) send({ type: "answer", id, answer: given });
  };
  const { end, cpuMs, isHealthy } = await new Promise<Ended>((resolve) => {
    watch(thread, limits, resolve, over.signal);
    // A thread's messages come in the async context of whoever had it started, which may be over: the run has its own.
    const hear = AsyncResource.bind((message: FromThread): void => {
      if (message.type === "log")
        logs.push({ level: message.level, message: message.message, at: new Date(message.at) });
      else if (message.type === "call") void reply(message.id, message.call);
      else if (message.type === "end") resolve(message);
    });
    worker.on("message", hear);
    over.signal.addEventListener("abort", () => worker.off("message", hear));
    send({ type: "run", run, limits });
  });
  over.abort();
  return { result: { end, logs, cpuMs, totalMs: performance.now() - started }, isHealthy };
}

interface Ended {
  readonly end: RunEnd;
  readonly cpuMs: number;
  readonly isHealthy: boolean;
}

/** Ends the run when the thread dies, or is busy or open for longer than it may. */
function watch(thread: ScriptThread, limits: RunLimits, resolve: (ended: Ended) => void, signal: AbortSignal): void {
  const { worker, busySince } = thread;
  const busyMs = (): number => {
    const since = Atomics.load(busySince, 0);
    return since === 0n ? 0 : Number(process.hrtime.bigint() - since) / 1e6;
  };
  // The thread does not say what it has used: at least what it is at now.
  const fail = (problem: "cpu" | "time" | "memory" | "ended", message: string): void =>
    resolve({ end: { ok: false, problem, message }, cpuMs: Math.max(limits.cpuMs, busyMs()), isHealthy: false });
  const died = (): void => fail("ended", "The gateway ended the script's thread.");
  const broke = ({ code }: NodeJS.ErrnoException): void =>
    code === "ERR_WORKER_OUT_OF_MEMORY"
      ? fail("memory", "The script's thread came to an end: it used too much memory.")
      : fail("ended", "The script's engine gave up.");
  const latest = performance.now() + limits.totalMs + graceMs;
  const look = (): void => {
    if (busyMs() > 4 * limits.cpuMs + graceMs) fail("cpu", `The script used more than ${limits.cpuMs} ms of CPU.`);
    else if (performance.now() > latest) fail("time", `The script took longer than ${limits.totalMs} ms.`);
  };
  const timer = setInterval(look, lookEveryMs);
  worker.once("error", broke);
  worker.once("exit", died);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    worker.off("error", broke);
    worker.off("exit", died);
  });
}
