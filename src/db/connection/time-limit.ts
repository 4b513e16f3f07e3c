// The time limit of one operation: after its end the operation waits for no more results of the database.
import { DomainError } from "#src/base/errors.ts";
import { Current } from "#src/runtime/current.ts";
import { isTimeOut, OutOfTimeError } from "#src/db/connection/database-errors.ts";

/** The limit of the current operation: {@link TimeLimit.run} enters it, unless it was entered with others. */
export const limits = new Current<TimeLimit>();

type Fail = (error: Error) => void;

/** The error of work whose client closed the request. */
const callerGone = (): DomainError => new DomainError("TIMEOUT", "The client closed the request.");

const outOfTime = (): Error => new OutOfTimeError("The operation exceeded its time limit");

/** Running work under a limit: the part of the time that it may take, and its waits with time limits of their own. */
interface Run {
  readonly part: number;
  pauses: number;
}

/** The limit of one operation. Its time passes while {@link TimeLimit.run} runs. */
export class TimeLimit {
  readonly #ms: number;
  /** The caller whose connections include those of the operation; null without one. */
  readonly caller: string | null;
  /** How many connections the operation uses for transactions. */
  transactions = 0;
  #usedMs = 0;
  #run: Run | null = null;
  /** Since when time passes: from the start of the run, or the end of its pauses; null while paused. */
  #since: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isAbandoned = false;
  /** Since when the operation waits, by `performance.now()`, the longest first. */
  readonly #waiting = new Map<Fail, number>();
  /** The texts of statements that timed out: they are not sent again. */
  #late: Set<string> | undefined;

  /** `ms` may be Infinity. */
  constructor(ms: number, caller: string | null = null) {
    this.#ms = ms;
    this.caller = caller;
  }

  /** Whether the time is over, so that nothing awaits the results. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the operation waits for the database, or for other work that ends with its time. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** For how many milliseconds it has waited at least for one of them; 0 if it does not wait. */
  get waitedMs(): number {
    const [since] = this.#waiting.values();
    return since === undefined ? 0 : performance.now() - since;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Runs work under the limit; a `part` below 1 allows it that part of the time. */
  async run<Result>(work: () => Promise<Result>, part = 1): Promise<Result> {
    if (this.#ms === Infinity || this.#run) return work();
    this.#run = { part, pauses: 0 };
    this.#isOver = this.#isAbandoned;
    this.#start(part);
    try {
      return await (limits.value === this ? work() : limits.run(this, work));
    } finally {
      this.#stop();
      this.#run = null;
    }
  }

  get leftMs(): number {
    const running = this.#since === null ? 0 : performance.now() - this.#since;
    return Math.max(0, this.#ms - this.#usedMs - running);
  }

  /** The client has disconnected: ends the time for good. */
  abandon(): void {
    if (this.#ms === Infinity || this.#isAbandoned) return;
    this.#isAbandoned = true;
    this.#end(callerGone);
  }

  /** Calls `listener` once, with the error, when the time ends or the caller disconnects. Returns its removal. */
  onEnd(listener: Fail): () => void {
    this.#waiting.set(listener, performance.now());
    if (this.#isOver) queueMicrotask(() => this.#waiting.delete(listener) && listener(this.#error()));
    return () => void this.#waiting.delete(listener);
  }

  /** Why a statement is not sent: the time is over, or it timed out before. */
  refusalOf(text: string): Error | null {
    return this.#isOver || this.#late?.has(text) ? this.#error() : null;
  }

  /** Calls `listener` once, with the error, when the time of a statement sent now ends. Returns its removal. */
  onEndOf(text: string, listener: Fail): () => void {
    const fail: Fail = (error) => {
      this.noteLate(text, error);
      listener(error);
    };
    this.#waiting.set(fail, performance.now());
    return () => void this.#waiting.delete(fail);
  }

  /** Records a statement that timed out. */
  noteLate(text: string, error: unknown): void {
    if (isTimeOut(error)) (this.#late ??= new Set()).add(text);
  }

  /** Throws if the time is over: for long computations. */
  check(): void {
    if (this.#isOver) throw this.#error();
  }

  /** Waits for work with a time limit of its own: the clock of its own run stops until the last such wait ends. */
  async pause<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#run;
    if (!run || this.#isOver) return limits.run(undefined, work);
    if (run.pauses++ === 0) this.#stop();
    try {
      return await limits.run(undefined, work);
    } finally {
      if (--run.pauses === 0 && this.#run === run) this.#start(run.part);
    }
  }

  /** The result of a promise. Throws {@link OutOfTimeError} if the time ends first; a later result is dropped. */
  wait<Answer>(text: string, send: () => Promise<Answer>, drop: (answer: Answer) => void): Promise<Answer> {
    const refusal = this.refusalOf(text);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const fail: Fail = (error) => {
        this.#waiting.delete(fail);
        this.noteLate(text, error);
        reject(error);
      };
      this.#waiting.set(fail, performance.now());
      send().then((answer) => (this.#waiting.delete(fail) ? resolve(answer) : drop(answer)), fail);
    });
  }

  #start(part: number): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#end(outOfTime), this.#ms * part - this.#usedMs);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#since !== null) this.#usedMs += performance.now() - this.#since;
    this.#since = null;
  }

  #error(): Error {
    return this.#isAbandoned ? callerGone() : new OutOfTimeError("The time limit was exceeded");
  }

  #end(error: () => Error): void {
    this.#isOver = true;
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear(); // each is called once, even if the caller leaves after the time is over
    for (const fail of waiting) fail(error());
  }
}

/** Sends a statement, and waits for its result within the time limit of the current operation, if it has one. */
export function withinLimit<Answer>(
  text: string,
  send: () => Promise<Answer>,
  drop: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const limit = limits.value;
  return limit ? limit.wait(text, send, drop) : send();
}

/** The limit of the current operation; undefined without one. */
export const currentLimit = (): TimeLimit | undefined => limits.value;

/** Milliseconds that the operation has left; null without a limit. */
export const timeLeft = (): number | null => limits.value?.leftMs ?? null;

/** Runs work without a time limit, whose connections count as those of `caller`. */
export function asCaller<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
  return limits.run(new TimeLimit(Infinity, caller), work);
}

/** Starts work that continues after the response: the limit of the operation does not apply. */
export function withoutLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  return limits.run(undefined, work);
}

/** Waits for such work: the clock of the operation stops meanwhile. */
export function besideLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  const limit = limits.value;
  return limit ? limit.pause(work) : work();
}

/** Runs a short read with its own limit of 5 seconds: others wait for it, too, or it follows a commit. */
export function inOwnTime<Result>(work: () => Promise<Result>): Promise<Result> {
  return new TimeLimit(5_000).run(work);
}

/** Shares concurrent reads of /metrics. Each resolves to null if it fails or takes longer than a second. */
export function metricsRead<Result>(read: () => Promise<Result>): () => Promise<Result | null> {
  let running: Promise<Result | null> | undefined;
  const limited = () => new TimeLimit(1_000).run(read).catch(() => null);
  return () => (running ??= limited().finally(() => (running = undefined)));
}
