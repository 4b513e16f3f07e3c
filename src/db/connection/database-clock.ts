// The time of the database: all gateways use it for time limits, even if the clocks of their machines are wrong.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";

/** Smaller differences, in milliseconds, are not corrected: the round trip to the database takes time, too. */
const noticedMs = 500;
/** The difference, in milliseconds, beyond which the clock of a machine counts as wrong. */
const toleratedMs = 60_000;
/** How often the database is asked for its time, and how long it may take to respond. */
const [lookEveryMs, lookLimitMs] = [60_000, 5_000];

interface Options {
  readonly database: Pick<Database, "vital">;
  readonly log: Logger;
  /** The clock of the machine, in milliseconds since 1970. */
  readonly machine?: () => number;
}

/** The machine's clock, corrected by the database's: at the first check, then once a minute. */
export class DatabaseClock implements Clock {
  readonly #options: Options;
  readonly #machine: () => number;
  #behindMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWrong = false;

  constructor(options: Options) {
    this.#options = options;
    this.#machine = options.machine ?? Date.now;
  }

  now(): Date {
    return new Date(this.#machine() + this.#behindMs);
  }

  get machineAheadSeconds(): number {
    return Math.round(-this.#behindMs / 1000) + 0; // never -0
  }

  get isMachineRight(): boolean {
    return !this.#isWrong;
  }

  /** Checks now, and then once a minute until {@link stop}. A failed check is repeated a minute later. */
  async start(): Promise<void> {
    const look = () =>
      this.look().catch((error: unknown) =>
        this.#options.log.debug({ err: error }, "could not read the time of the database"),
      );
    await look();
    this.#timer = setInterval(() => void look(), lookEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Asks the database for its time; false if the machine's is off by more than a minute. Fails after 5 seconds. */
  async look(): Promise<boolean> {
    const { database, log } = this.#options;
    const asked = this.#machine();
    const statement = sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    const [row] = await new TimeLimit(lookLimitMs).run(() => database.vital.query<{ ms: number }>(statement));
    const behind = (row?.ms ?? asked) - (asked + this.#machine()) / 2;
    if (Math.abs(behind - this.#behindMs) >= noticedMs) this.#behindMs = Math.abs(behind) < noticedMs ? 0 : behind;
    const isWrong = Math.abs(behind) > toleratedMs;
    const aheadSeconds = Math.round(-behind / 1000);
    const wrong = "the clock of this machine differs from the database's: nothing is deleted by age";
    if (isWrong && !this.#isWrong) log.error({ aheadSeconds }, wrong);
    if (!isWrong && this.#isWrong)
      log.info({ aheadSeconds }, "the clock of this machine agrees with the database's again");
    this.#isWrong = isWrong;
    return !isWrong;
  }
}
