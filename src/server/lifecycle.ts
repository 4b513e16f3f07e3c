// The end of the process: the first signal lets the work in flight finish, a later one does not.
import type { Logger } from "pino";

/** Ctrl-C reaches npm and docgraph at once, and npm passes it on: two signals within this time are one wish. */
const echoMs = 1000;

/**
 * On SIGINT or SIGTERM runs `stop` once and exits with 0; with 1 if that fails or takes longer than `limitMs`. A further signal
 * exits at once.
 */
export function stopOnSignals(stop: () => Promise<void>, options: { log: Logger; limitMs: number }): void {
  let firstAt: number | undefined;
  function onSignal(signal: NodeJS.Signals): void {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > echoMs) process.exit(1);
      return;
    }
    firstAt = performance.now();
    options.log.info(`${signal}: finishing what is in flight, then stopping; once more to stop at once`);
    setTimeout(() => {
      options.log.error("stopping took too long");
      process.exit(1);
    }, options.limitMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        options.log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  }
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}
