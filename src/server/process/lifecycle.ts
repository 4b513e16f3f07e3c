// The end of the process: the first signal lets the work in flight finish, a later one does not.
import type { Logger } from "pino";

/** Ctrl-C reaches npm and docgraph at once, and npm passes it on: two signals within this time count as one. */
const echoMs = 1000;

interface StopOptions {
  readonly log: Logger;
  readonly limitMs: number;
  /** Also stop when the parent process is gone: it was npm, and without it no signal arrives any more. */
  readonly withParent: boolean;
}

/**
 * On SIGINT or SIGTERM runs `stop` once and exits with 0; with 1 if that fails or takes longer than `limitMs`. A
 * further signal exits at once.
 */
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

/**
 * Has what fails when nothing waits for it logged: a bug, which is to hurt nobody else. Without this Node ends the
 * process.
 */
export function surviveUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (error: unknown) =>
    log.error({ err: error }, "something failed that nothing waited for, which is a bug; everything else goes on"),
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
