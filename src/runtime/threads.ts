// Worker threads for untrusted input: it does not block the process, has a time limit, and tenants are served in turn.
// Not piscina: if its file cannot be loaded, tasks only reject at the time limit, and an unhandled error is thrown.
import { on, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, Worker } from "node:worker_threads";
import { DomainError } from "#src/base/errors.ts";
import { FairSemaphore, SingleTurns } from "#src/runtime/fair-semaphore.ts";
import { inFigures } from "#src/base/limits.ts";
import { lightMegabytes, threadMemory } from "#src/runtime/memory.ts";
import { lowerPriority } from "#src/runtime/priority.ts";
import { currentTenant, lendSlot, type Tenant } from "#src/runtime/tenant.ts";

/** The outcome of some tasks: a result of each, or of those before the one that took too long or too much memory. */
export interface Outcome<Answer> {
  readonly answers: readonly Answer[];
  readonly ended: "all done" | "out of time" | "out of memory";
}

interface Limits<Task> {
  readonly threads: number;
  /** How many additional threads others have while one user uses all; by default one. */
  readonly spare?: number;
  /** The most memory of a thread for objects that stay. */
  readonly megabytes: number;
  /**
   * How many megabytes tasks are expected to need; by default `megabytes`. A thread gets as many, and if they are too
   * few, the rest of the tasks runs once more in a thread with the most.
   */
  readonly needs?: (tasks: readonly Task[]) => number;
  /** How long a thread stays without work; by default 5 seconds. */
  readonly idleMs?: number;
  /** Whether the time limit of tasks is in CPU time, for limits so short that a busy machine would exceed them. */
  readonly limitsCpu?: boolean;
}

/** A thread with its memory. */
interface Sized {
  readonly thread: Worker;
  readonly megabytes: number;
}

interface Idle extends Sized {
  readonly timer: NodeJS.Timeout;
  readonly finish: () => void;
}

/** Tasks with the memory of the thread that they run in. */
interface Work<Task> {
  readonly tasks: readonly Task[];
  readonly megabytes: number;
}

/** Pools of threads with so much memory at most do not wait for memory. */
const smallMegabytes = 128;

/**
 * Three times what one collection may move to the old generation. Node ends a thread that exceeds the limit of V8 by at
 * most 16 megabytes; beyond, V8 aborts the process (nodejs/node issue 47224). Its own limit of up to 192 did so, and
 * filling so much for the first time costs a third more CPU than collecting earlier.
 */
const maxYoungGenerationSizeMb = 16;

/**
 * The limit of V8 is that of the thread and a reserve: one list or text that is larger than the rest of the memory ends
 * in the reserve instead of aborting the process. {@link watchMemory} ends the thread there. A gateway with little
 * memory has a small reserve: 16 megabytes with 1 GB.
 */
const reserveOf = (megabytes: number): number => Math.min(megabytes, 128, Math.floor(threadMemory.mostOfOne / 14));
const watchMs = 25;
const bytesPerMegabyte = 1024 * 1024;

/** A pool of threads that run one file, which calls {@link serveTasks}. Idle threads end after some seconds. */
export class ThreadPool<Task, Answer> {
  readonly #file: URL;
  readonly #limits: Limits<Task>;
  readonly #slots: FairSemaphore;
  /** The turns of users who do one thing at a time. */
  readonly #singles = new SingleTurns();
  /** Idle threads, each with the timer that ends it; the most recently used one is the last. */
  readonly #idle: Idle[] = [];

  constructor(file: URL, limits: Limits<Task>) {
    this.#file = file;
    this.#limits = limits;
    this.#slots = new FairSemaphore({ most: limits.threads, spare: limits.spare ?? 1 });
  }

  /**
   * Runs tasks one after the other in one thread within this time; the first that throws ends all. The time is billed
   * to the tenant, whose operation lends its slot meanwhile. Throws RATE_LIMITED, before anything is run, if too much
   * work of one tenant is waiting.
   */
  run(tasks: readonly Task[], milliseconds: number): Promise<Outcome<Answer>> {
    const tenant = currentTenant();
    const beforeWait = () => this.#checkCrowd(tenant);
    const work = () => this.#workInMemory(tasks, milliseconds, tenant);
    const inTurn = () => this.#slots.run(tenant.user, work, beforeWait);
    const single = () => this.#singles.run(tenant.user, inTurn, { restFor: tenant.restFor, beforeWait });
    return lendSlot(() => (tenant.isSingle() ? single() : inTurn()));
  }

  #checkCrowd(tenant: Tenant): void {
    const waiting = this.#slots.waitingOf(tenant.user) + this.#singles.waitingOf(tenant.user);
    if (waiting < tenant.mostWaiting) return;
    tenant.countRefusal();
    throw new DomainError(
      "RATE_LIMITED",
      `At most ${inFigures(tenant.mostWaiting)} texts, images and files of one user may wait for worker threads, of each kind, and ${inFigures(waiting)} of yours are waiting. Try again when they are done.`,
    );
  }

  async #workInMemory(tasks: readonly Task[], milliseconds: number, tenant: Tenant): Promise<Outcome<Answer>> {
    const { megabytes: declared, needs } = this.#limits;
    const most = this.#countsMemory ? Math.min(declared, threadMemory.mostOfOne) : declared;
    const megabytes = Math.min(most, Math.max(lightMegabytes, Math.ceil(needs?.(tasks) ?? most)));
    const first = await this.#work({ tasks, megabytes }, milliseconds, tenant);
    if (first.ended !== "out of memory" || megabytes === most) return first;
    const rest = { tasks: tasks.slice(first.answers.length), megabytes: most };
    const second = await this.#work(rest, milliseconds, tenant);
    return { answers: [...first.answers, ...second.answers], ended: second.ended };
  }

  /** Small threads are part of the memory of the process. */
  get #countsMemory(): boolean {
    return this.#limits.megabytes > smallMegabytes;
  }

  async #work({ tasks, megabytes }: Work<Task>, milliseconds: number, tenant: Tenant): Promise<Outcome<Answer>> {
    const thread = this.#takeIdle(megabytes) ?? (await this.#startThread(megabytes, tenant));
    const answers: Answer[] = [];
    const started = performance.now();
    thread.ref();
    const watch = watchMemory({ thread, megabytes });
    try {
      const signal = AbortSignal.any([this.#limitOf(thread, milliseconds), watch.signal]);
      await collect(thread, tasks, answers, signal);
      this.#rest({ thread, megabytes });
      return { answers, ended: "all done" };
    } catch (error) {
      void thread.terminate();
      return { answers, ended: watch.signal.aborted ? "out of memory" : endOf(error) };
    } finally {
      watch.end();
      tenant.takeTime(performance.now() - started);
    }
  }

  #limitOf(thread: Worker, milliseconds: number): AbortSignal {
    return this.#limits.limitsCpu ? afterCpuTime(thread, milliseconds) : AbortSignal.timeout(milliseconds);
  }

  #rest(sized: Sized): void {
    const { thread } = sized;
    if (this.#countsMemory && threadMemory.isShort) return void thread.terminate();
    thread.unref();
    const finish = (): void => {
      this.#forget(idle);
      void thread.terminate();
    };
    const idle = { ...sized, finish, timer: setTimeout(finish, this.#limits.idleMs ?? 5_000).unref() };
    this.#idle.push(idle);
    if (this.#countsMemory) threadMemory.idle.add(finish);
  }

  #takeIdle(megabytes: number): Worker | undefined {
    const idle = this.#idle.findLast((each) => each.megabytes >= megabytes);
    if (idle) this.#forget(idle);
    return idle?.thread;
  }

  #forget(idle: Idle): void {
    this.#idle.splice(this.#idle.indexOf(idle), 1);
    clearTimeout(idle.timer);
    threadMemory.idle.delete(idle.finish);
  }

  async #startThread(megabytes: number, { user }: Tenant): Promise<Worker> {
    const release = this.#countsMemory ? await threadMemory.take(user, megabytes) : () => {};
    const stackSizeMb = 1; // nested input needs a deep stack
    const maxOldGenerationSizeMb = megabytes + reserveOf(megabytes);
    const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb, stackSizeMb };
    const thread = new Worker(this.#file, { resourceLimits });
    thread.once("exit", release);
    await once(thread, "message"); // ready: starting the thread is not part of a task's time
    return thread.on("error", () => {}); // the waiting tasks get the error; without a listener it would end the process
  }
}

/**
 * Aborts when the thread uses more than half of its reserve. V8 collects garbage at the latest halfway between the
 * objects that stay and its limit: a thread whose objects are within their limit does not get there.
 */
function watchMemory({ thread, megabytes }: Sized): { readonly signal: AbortSignal; end(): void } {
  const exceeded = new AbortController();
  const most = (megabytes + reserveOf(megabytes) / 2) * bytesPerMegabyte;
  let isAsked = false; // a thread answers between two statements of its code
  const look = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    const { used_heap_size: used } = await thread.getHeapStatistics();
    isAsked = false;
    if (used > most) exceeded.abort();
  };
  const timer = setInterval(() => void look().catch(() => {}), watchMs).unref(); // it rejects if the thread has ended
  return { signal: exceeded.signal, end: () => clearInterval(timer) };
}

/** The factor by which a busy machine may stretch CPU time. */
const mostBusy = 10;
/** Aborts when the thread has used this much CPU time, and at the latest after {@link mostBusy} times as long. */
function afterCpuTime(thread: Worker, milliseconds: number): AbortSignal {
  const used = new AbortController();
  const latest = AbortSignal.timeout(mostBusy * milliseconds);
  const measure = async () => {
    const start = await thread.cpuUsage();
    for (let left = milliseconds; left > 0;) {
      await wait(Math.ceil(left), undefined, { ref: false, signal: latest });
      const { user, system } = await thread.cpuUsage(start);
      left = milliseconds - (user + system) / 1000;
    }
    used.abort();
  };
  measure().catch(() => {}); // the thread has ended, or the task is done
  return AbortSignal.any([used.signal, latest]);
}

/** Collects the thread's results in `answers`, until there is one for each task. */
async function collect<Answer>(thread: Worker, tasks: readonly unknown[], answers: Answer[], signal: AbortSignal) {
  if (tasks.length === 0) return;
  const messages = on(thread, "message", { signal });
  thread.postMessage(tasks);
  for await (const [answer] of messages as AsyncIterable<[Answer]>) {
    // it posts no other messages
    answers.push(answer);
    if (answers.length === tasks.length) return;
  }
}

function endOf(error: unknown): "out of time" | "out of memory" {
  if (error instanceof Error && error.name === "AbortError") return "out of time";
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return "out of memory";
  throw error;
}

/** Makes the file that calls it a worker of a {@link ThreadPool}: it runs each task, and reports its errors. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  lowerPriority();
  const answerAll = async (tasks: readonly Task[]): Promise<void> => {
    for (const task of tasks) parentPort?.postMessage(await answer(task));
  };
  parentPort?.on("message", (tasks: readonly Task[]) => void answerAll(tasks)); // an error ends the thread
  parentPort?.postMessage("ready");
}
