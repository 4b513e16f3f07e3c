// E-mails that go out beside requests, and again where the server does not take them.
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { Background } from "#src/jobs/background.ts";
import type { Letter, Mail } from "#src/net/mail.ts";

/** How long it waits before each further try, in milliseconds. */
const defaultWaitsMs = [5_000, 60_000];

/** See the head of this file. A letter lives as long as the process: whoever waits for one in vain asks again. */
export class Letters {
  readonly #mail: Mail;
  readonly #background: Background;
  readonly #log: Logger;
  readonly #waitsMs: readonly number[];

  constructor({ mail, background, log, waitsMs }: LettersOptions) {
    this.#mail = mail;
    this.#background = background;
    this.#log = log;
    this.#waitsMs = waitsMs ?? defaultWaitsMs;
  }

  /**
   * Sends one; nobody waits for it. What fails for good is logged with `what` it is, without its text. The feature that
   * sends it counts, in the database, how many an address gets.
   */
  post(letter: Letter, what: string): void {
    void this.#background.run((stopping, ending) => this.#send(letter, what, { stopping, ending }));
  }

  /** When the process stops, each is tried once more at most. */
  async #send(letter: Letter, what: string, { stopping, ending }: Record<"stopping" | "ending", AbortSignal>) {
    for (const waitMs of [...this.#waitsMs, null]) {
      const isLast = waitMs === null || stopping.aborted;
      try {
        return await this.#mail.send(letter, ending);
      } catch (error) {
        if (isLast || isRefusal(error)) {
          this.#log.error({ err: error }, `${what} could not be sent by e-mail`);
          return;
        }
        await wait(waitMs, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }
}

interface LettersOptions {
  readonly mail: Mail;
  readonly background: Background;
  readonly log: Logger;
  readonly waitsMs?: readonly number[] | undefined;
}

/** Whether the server has said that it never takes this letter (RFC 5321, section 4.2.1: codes from 500). */
function isRefusal(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : null;
  return typeof code === "number" && code >= 500;
}
