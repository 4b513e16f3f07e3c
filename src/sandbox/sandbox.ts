// Runs scripts of integrations: in threads kept warm, each with one script at a time, ended if a script misbehaves.
// Not @sebastianwessel/quickjs: its Request and Response are empty classes, and its API cannot be restricted.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DomainError } from "#src/base/errors.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import {
  type CallAnswer,
  type FromThread,
  type LogLevel,
  type RunEnd,
  runLimits,
  type RunLimits,
  type ScriptCall,
  type ScriptCheck,
  type ScriptRun,
  type ToThread,
} from "#src/sandbox/messages.ts";
import { AsyncResource } from "node:async_hooks";

interface Thread extends ScriptThread {
  runs: number;
  isEnded: boolean;
}

/** Scripts mostly wait for other servers: there are more threads than processors. */
const mostThreads = Math.max(4, 2 * availableParallelism());
const warmThreads = 2;
/** How many runs of an owner may wait for a thread. */
const mostWaiting = 50;
/** A thread is ended after this many runs, so that nothing accumulates in it. */
const runsOfThread = 500;

const threadFile = new URL("thread.ts", import.meta.url);

/** See the head of this file. Threads start on demand, and do not keep the process from ending. */
export class Sandbox {
  readonly #limits: RunLimits;
  readonly #most: number;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #slots: FairSemaphore;
  #busy = 0;
  #isClosed = false;

  constructor(of: { limits?: Partial<RunLimits>; threads?: number } = {}) {
    this.#limits = { ...runLimits, ...of.limits };
    this.#most = of.threads ?? mostThreads;
    this.#slots = new FairSemaphore({ most: this.#most, perOwner: this.perOwner });
  }

  /** The most runs of one owner at once; more wait. */
  get perOwner(): number {
    return Math.max(1, Math.floor(this.#most / 2));
  }

  /** Starts the kept threads, so that the first runs need not wait for them. */
  async warm(): Promise<void> {
    const missing = Math.max(0, Math.min(warmThreads, this.#most) - this.#idle.length - this.#busy);
    const made = await Promise.all(Array.from({ length: missing }, () => this.#start()));
    for (const thread of made) this.#rest(thread);
  }

  /** Compiles a script without running it. RATE_LIMITED and UNAVAILABLE as {@link run}. */
  async check(owners: readonly string[], script: string): Promise<ScriptCheck> {
    const message = this.#faultOf({ script, event: "", context: "", environment: "" });
    if (message !== null) return { fault: { message, line: null, column: null } };
    const { end } = await this.#slot(owners, { type: "check", script, limits: this.#limits }, () =>
      Promise.resolve(unanswered),
    );
    if (end.ok) return JSON.parse(end.answer) as ScriptCheck; // written by the thread
    return { fault: { message: end.message, line: null, column: null } };
  }

  /** Runs a script, with at most half of the threads for an owner. RATE_LIMITED if many wait, UNAVAILABLE at a stop. */
  async run(owners: readonly string[], run: ScriptRun, answer: AnswerCall): Promise<RunResult> {
    const fault = this.#faultOf(run);
    if (fault) return { end: { ok: false, problem: "size", message: fault }, logs: [], cpuMs: 0, totalMs: 0 };
    return this.#slot(owners, { type: "run", run, limits: this.#limits }, answer);
  }

  #slot(owners: readonly string[], work: Work, answer: AnswerCall): Promise<RunResult> {
    if (this.#isClosed) throw stopped();
    return this.#slots.run(
      owners,
      () => this.#runNow(work, answer),
      () => this.#checkCrowd(owners),
    );
  }

  async #runNow(work: Work, answer: AnswerCall): Promise<RunResult> {
    this.#busy += 1;
    try {
      const thread = this.#takeIdle() ?? (await this.#start());
      const { result, isHealthy } = await runInThread(thread, work, answer);
      thread.runs += 1;
      if (isHealthy && thread.runs < runsOfThread) this.#rest(thread);
      else this.#replace(thread);
      return result;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Ends all threads; their runs fail, and waiting runs are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.failAll(stopped());
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  async #start(): Promise<Thread> {
    if (this.#isClosed) throw stopped();
    const thread = await startThread();
    this.#threads.add(thread);
    thread.worker.once("exit", () => this.#threads.delete(thread));
    if (this.#isClosed) void thread.worker.terminate();
    return thread;
  }

  #faultOf({ script, event, context }: ScriptRun): string | null {
    const { scriptLength, inputLength } = this.#limits;
    if (script.includes("\0")) return "The script must not contain a NUL character.";
    if (script.length > scriptLength) return `The script must not exceed ${scriptLength} characters.`;
    return event.length + context.length > inputLength ? `The event must not exceed ${inputLength} characters.` : null;
  }

  #checkCrowd(owners: readonly string[]): void {
    const waiting = Math.max(...owners.map((owner) => this.#slots.waitingOf(owner)));
    if (waiting < mostWaiting) return;
    throw new DomainError(
      "RATE_LIMITED",
      `At most ${mostWaiting} runs of the integrations of one organization may wait, and as many requests to all, and ${waiting} of these are waiting. Try again in a minute.`,
    );
  }

  #takeIdle(): Thread | undefined {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) if (!thread.isEnded) return thread;
    return undefined;
  }

  #replace({ worker }: Thread): void {
    void worker.terminate();
    if (!this.#isClosed) setImmediate(() => void this.warm().catch(() => {})); // the next run tries again
  }

  #rest(thread: Thread): void {
    thread.worker.unref();
    if (this.#isClosed || this.#idle.length >= this.#most) void thread.worker.terminate();
    else this.#idle.push(thread);
  }
}

const stopped = (): DomainError => new DomainError("UNAVAILABLE", "The gateway is stopping.");

let engine: Promise<WebAssembly.Module> | undefined;

function compiledEngine(): Promise<WebAssembly.Module> {
  engine ??= (async () => {
    const wasm = import.meta.resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm");
    return WebAssembly.compile(await readFile(new URL(wasm)));
  })();
  return engine;
}

async function startThread(): Promise<Thread> {
  const busySince = new BigInt64Array(new SharedArrayBuffer(8));
  const worker = new Worker(threadFile, {
    workerData: { engine: await compiledEngine(), busySince },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  await once(worker, "message"); // the thread is ready
  worker.on("error", () => {}); // the waiting runs get its exit
  const thread = { worker, busySince, runs: 0, isEnded: false };
  worker.once("exit", () => {
    thread.isEnded = true;
  });
  return thread;
}

interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly at: Date;
}

export interface RunResult {
  readonly end: RunEnd;
  readonly logs: readonly LogLine[];
  /** CPU time, and time from the start to the end, in milliseconds. */
  readonly cpuMs: number;
  readonly totalMs: number;
}

type Work = Exclude<ToThread, { readonly type: "answer" }>;

/** Handles the calls of a script; its errors are not shown to the script. The signal ends with the run. */
type AnswerCall = (call: ScriptCall, signal: AbortSignal) => Promise<CallAnswer>;

interface ScriptThread {
  readonly worker: Worker;
  /** Since when it runs a script's code, in nanoseconds of `hrtime`; 0 while it does not. */
  readonly busySince: BigInt64Array;
}

/** How far a script may exceed its time before its thread is ended: work of the engine cannot always be interrupted. */
const graceMs = 1_500;
const lookEveryMs = 250;
const unanswered: CallAnswer = { ok: false, message: "The gateway could not handle this call." };

/** Runs a script in an idle thread, which may be reused only if the result is `isHealthy`. */
async function runInThread(thread: ScriptThread, work: Work, answer: AnswerCall) {
  const { limits } = work;
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
    // Messages of a thread arrive in the async context of the run that started it, maybe ended: the run has its own.
    const onMessage = AsyncResource.bind((message: FromThread): void => {
      if (message.type === "log")
        logs.push({ level: message.level, message: message.message, at: new Date(message.at) });
      else if (message.type === "call") void reply(message.id, message.call);
      else if (message.type === "end") resolve(message);
    });
    worker.on("message", onMessage);
    over.signal.addEventListener("abort", () => worker.off("message", onMessage));
    send(work);
  });
  over.abort();
  return { result: { end, logs, cpuMs, totalMs: performance.now() - started }, isHealthy };
}

interface Ended {
  readonly end: RunEnd;
  readonly cpuMs: number;
  readonly isHealthy: boolean;
}

/** Ends the run if the thread dies, or is busy or open for longer than it may. */
function watch(thread: ScriptThread, limits: RunLimits, resolve: (ended: Ended) => void, signal: AbortSignal): void {
  const { worker, busySince } = thread;
  const busyMs = (): number => {
    const since = Atomics.load(busySince, 0);
    return since === 0n ? 0 : Number(process.hrtime.bigint() - since) / 1e6;
  };
  // The thread does not report its usage: at least its current one counts.
  const fail = (problem: "cpu" | "time" | "memory" | "ended", message: string): void =>
    resolve({ end: { ok: false, problem, message }, cpuMs: Math.max(limits.cpuMs, busyMs()), isHealthy: false });
  const died = (): void => fail("ended", "The gateway ended the script's thread.");
  const broke = ({ code }: NodeJS.ErrnoException): void =>
    code === "ERR_WORKER_OUT_OF_MEMORY"
      ? fail("memory", "The script's thread ended: it used too much memory.")
      : fail("ended", "The script's engine failed.");
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
