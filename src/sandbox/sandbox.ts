// Running scripts of others: in threads kept warm, each with one script at a time, ended when a script misbehaves.
// Why not @sebastianwessel/quickjs: its Request and Response are empty classes, and its surface is not ours to bound.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DomainError } from "#src/base/errors.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { runLimits, type RunLimits } from "#src/sandbox/limits.ts";
import type { ScriptRun } from "#src/sandbox/messages.ts";
import { type AnswerCall, runInThread, type RunResult, type ScriptThread } from "#src/sandbox/run-in-thread.ts";

interface Thread extends ScriptThread {
  runs: number;
  isEnded: boolean;
}

/** Scripts that ask others spend their time waiting: there are more threads than processors. */
const mostThreads = Math.max(4, 2 * availableParallelism());
const warmThreads = 2;
/** How many runs of an owner may wait for a thread. */
const mostWaiting = 50;
/** A thread is ended after so many runs, so that nothing can add up in it. */
const runsOfThread = 500;

const threadFile = new URL("thread.ts", import.meta.url);

/** See the head of this file. Threads start when they are needed, and do not keep the process from ending. */
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
    this.#slots = new FairSemaphore({ most: this.#most, perOwner: Math.max(1, Math.floor(this.#most / 2)) });
  }

  /** Starts the threads that are kept, so that the first runs need not wait for them. */
  async warm(): Promise<void> {
    const missing = Math.max(0, Math.min(warmThreads, this.#most) - this.#idle.length - this.#busy);
    const made = await Promise.all(Array.from({ length: missing }, () => this.#start()));
    for (const thread of made) this.#rest(thread);
  }

  /**
   * Runs a script for its owners, each with at most half of the threads, in turn. RATE_LIMITED if many of theirs wait,
   * UNAVAILABLE while stopping.
   */
  async run(owners: readonly string[], run: ScriptRun, answer: AnswerCall): Promise<RunResult> {
    const fault = this.#faultOf(run);
    if (fault) return { end: { ok: false, problem: "size", message: fault }, logs: [], cpuMs: 0, totalMs: 0 };
    if (this.#isClosed) throw stopped();
    const checkCrowd = () => this.#checkCrowd(owners);
    return this.#slots.run(owners, () => this.#runNow(run, answer), checkCrowd);
  }

  async #runNow(run: ScriptRun, answer: AnswerCall): Promise<RunResult> {
    this.#busy += 1;
    try {
      const thread = this.#takeIdle() ?? (await this.#start());
      const { result, isHealthy } = await runInThread(thread, this.#limits, run, answer);
      thread.runs += 1;
      if (isHealthy && thread.runs < runsOfThread) this.#rest(thread);
      else this.#replace(thread);
      return result;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Ends all threads; what runs in them ends as failed, and what waits for one is refused. */
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
    if (script.includes("\0")) return "The script has a NUL character.";
    if (script.length > scriptLength) return `The script is longer than ${scriptLength} characters.`;
    return event.length + context.length > inputLength ? `The event is longer than ${inputLength} characters.` : null;
  }

  #checkCrowd(owners: readonly string[]): void {
    const waiting = Math.max(...owners.map((owner) => this.#slots.waitingOf(owner)));
    if (waiting < mostWaiting) return;
    throw new DomainError(
      "RATE_LIMITED",
      `At most ${mostWaiting} runs of the integrations of one organization wait, and as many requests to all: ${waiting} of these do. Try again in a minute.`,
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

  /** Keeps a thread for the next run. */
  #rest(thread: Thread): void {
    thread.worker.unref();
    if (this.#isClosed || this.#idle.length >= this.#most) void thread.worker.terminate();
    else this.#idle.push(thread);
  }
}

const stopped = (): DomainError => new DomainError("UNAVAILABLE", "The gateway is stopping.");

let engine: Promise<WebAssembly.Module> | undefined;

/** The engine, compiled once for all threads. */
function compiledEngine(): Promise<WebAssembly.Module> {
  engine ??= (async () => {
    const quickjs = createRequire(import.meta.resolve("quickjs-emscripten"));
    return WebAssembly.compile(await readFile(quickjs.resolve("@jitl/quickjs-wasmfile-release-sync/wasm")));
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
  await once(worker, "message"); // it is ready
  worker.on("error", () => {}); // those who wait hear that it has ended
  const thread = { worker, busySince, runs: 0, isEnded: false };
  worker.once("exit", () => {
    thread.isEnded = true;
  });
  return thread;
}
