// The lifecycle of the process: the first signal finishes requests in flight, a later one does not; unhandled
// rejections are logged; memory is freed when the gateway is idle.
import type { Logger } from "pino";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Ctrl-C reaches npm and docgraph at once, and npm forwards it: two signals within this time count as one. */
const echoMs = 1000;

interface StopOptions {
  readonly log: Logger;
  readonly limitMs: number;
  /** Also stops when the parent process has ended: it was npm, which forwards the signals. */
  readonly withParent: boolean;
}

/** Runs `stop` at SIGINT or SIGTERM and exits: 1 if it fails or exceeds `limitMs`. A second signal exits at once. */
export function stopOnSignals(stop: () => Promise<void>, { log, limitMs, withParent }: StopOptions): void {
  let firstAt: number | undefined;
  function onSignal(reason: string): void {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > echoMs) process.exit(1);
      return;
    }
    firstAt = performance.now();
    log.info(`${reason}: finishing requests in flight, then stopping; repeat it to stop at once`);
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, limitMs).unref();
    stop().then(
      () => {
        log.info("stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  }
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  if (withParent) watchParent(() => onSignal("npm was killed"));
}

/** Logs unhandled rejections, which are bugs. Without this, Node would end the process. */
export function surviveUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (error: unknown) =>
    log.error({ err: error }, "an unhandled rejection occurred, which is a bug; the process continues"),
  );
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 250);
  timer.unref();
}

/** A process that uses less CPU time than `cpuMs` in `everyMs`, 10 % of one core, is idle: 10,000 sockets take some. */
const idle = { everyMs: 12_000, cpuMs: 1_200 } as const;
/** Collections begin after a minute without work: after each, optimized code has to be made again. */
const quietLooks = 60_000 / idle.everyMs;
/** V8 shrinks its heap at the second collection, and frees it at the third. */
const collections = 3;

/** Says when garbage is collected: some times after load and a minute without work. */
export class IdleCollections {
  /** How often in a row the process was idle. */
  #quiet = 0;

  /** Whether to collect now, given the CPU time since the last look, in milliseconds. */
  isDue(cpuMs: number): boolean {
    this.#quiet = cpuMs > idle.cpuMs ? 0 : this.#quiet + 1;
    return this.#quiet >= quietLooks && this.#quiet < quietLooks + collections;
  }
}

/**
 * Frees the memory of a process that has nothing to do, 0.1 s at a time, instead of V8: V8 would do so after each pause
 * of 8 seconds. What the code of requests was optimized for, such as shapes of sockets, would not survive that, and the
 * next ten thousand requests would take up to twice the CPU time.
 */
export function freeMemoryWhenIdle(): void {
  setFlagsFromString("--memory-reducer-gc-count=0"); // the most collections that V8 itself makes in a pause
  setFlagsFromString("--expose-gc"); // affects contexts made from now on
  const collect = runInNewContext("gc") as () => void;
  const due = new IdleCollections();
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (due.isDue((user + system) / 1000)) collect();
  }, idle.everyMs).unref();
}
