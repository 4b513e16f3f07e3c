// A warning of a failure that repeats: logged once a minute, with the number of failures since the last line.
import type { Logger } from "pino";

const everyMs = 60_000;

/** See the head of this file. */
export class RepeatedWarning {
  readonly #log: Pick<Logger, "warn">;
  readonly #message: string;
  #loggedAt = -Infinity;
  #since = 0;

  constructor(log: Pick<Logger, "warn">, message: string) {
    this.#log = log;
    this.#message = message;
  }

  /** Logs a failure, and what it is of, unless another one was logged within the last minute. */
  log(error: unknown, of: object = {}): void {
    const now = performance.now();
    if (now - this.#loggedAt < everyMs) {
      this.#since += 1;
      return;
    }
    this.#log.warn({ err: error, ...of, ...(this.#since > 0 && { failuresBefore: this.#since }) }, this.#message);
    this.#loggedAt = now;
    this.#since = 0;
  }
}
