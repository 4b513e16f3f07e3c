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

/** A process that uses less CPU time than `cpuMs` in `everyMs`, 3 % of one core, is idle. */
const idle = { everyMs: 12_000, cpuMs: 360 } as const;

/** After load collects garbage thrice (0.1 s each): V8 shrinks its heap at the second, and frees it at the third. */
export function freeMemoryWhenIdle(): void {
  setFlagsFromString("--expose-gc"); // affects contexts made from now on
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
