// The time of one operation: when it is over, nothing that the operation asks of the database is waited for any longer.
import { DomainError } from "#src/base/errors.ts";
import { Current } from "#src/runtime/current.ts";
import { isTimeOut, OutOfTimeError } from "#src/db/connection/database-errors.ts";

/** The limit of the operation that runs: {@link TimeLimit.run} enters it, where it was not entered with others. */
export const limits = new Current<TimeLimit>();

type Fail = (error: Error) => void;

/** The error of work whose client closed the request. */
const callerGone = (): DomainError => new DomainError("TIMEOUT", "The client closed the request.");

const outOfTime = (): Error => new OutOfTimeError("There was no answer in time");

/** Work under a limit, in progress: which part of the time it may take, and how many waits beside the time it is in. */
interface Run {
  readonly part: number;
  pauses: number;
}

/** The limit of one operation. Its time passes while {@link TimeLimit.run} runs. */
export class TimeLimit {
  readonly #ms: number;
  /** Whose connections those of the operation count among; null for nobody's. */
  readonly caller: string | null;
  /** How many connections the operation holds for transactions. */
  transactions = 0;
  #usedMs = 0;
  #run: Run | null = null;
  /** Since when time passes: from the start of the run, or the end of its pauses; null while it does not. */
  #since: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isAbandoned = false;
  readonly #waiting = new Set<Fail>();
  /** The texts of statements without an answer in time: they are not sent again. */
  readonly #late = new Set<string>();

  /** `ms` may be Infinity. */
  constructor(ms: number, caller: string | null = null) {
    this.#ms = ms;
    this.caller = caller;
  }

  /** Whether the time is over, so that nobody waits for answers any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Runs work under the limit; with a `part` below 1 in that part of the time. */
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

  /** The caller is gone: the time is over, and stays so. */
  abandon(): void {
    if (this.#ms === Infinity || this.#isAbandoned) return;
    this.#isAbandoned = true;
    this.#end(callerGone);
  }

  /** Calls `listener` once, with the error, when (or if) the time is over or the caller left. Returns its removal. */
  onEnd(listener: Fail): () => void {
    this.#waiting.add(listener);
    if (this.#isOver) queueMicrotask(() => this.#waiting.delete(listener) && listener(this.#error()));
    return () => void this.#waiting.delete(listener);
  }

  /** Why a statement is not sent: the time is over, or it had no answer in time before. */
  refusalOf(text: string): Error | null {
    return this.#isOver || this.#late.has(text) ? this.#error() : null;
  }

  /** Calls `listener` once, with the error, when the time of a statement that is sent now ends. Answers its removal. */
  onEndOf(text: string, listener: Fail): () => void {
    const fail: Fail = (error) => {
      this.noteLate(text, error);
      listener(error);
    };
    this.#waiting.add(fail);
    return () => void this.#waiting.delete(fail);
  }

  /** Notes a statement that failed since it took too long. */
  noteLate(text: string, error: unknown): void {
    if (isTimeOut(error)) this.#late.add(text);
  }

  /** Throws where the time is over: for work that goes on for long by itself. */
  check(): void {
    if (this.#isOver) throw this.#error();
  }

  /** Waits for work with time of its own: the clock stops until the last such wait ends, in its own run only. */
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

  /** An answer. Throws {@link OutOfTimeError} when the time is over first; what comes then is dropped. */
  wait<Answer>(text: string, send: () => Promise<Answer>, drop: (answer: Answer) => void): Promise<Answer> {
    const refusal = this.refusalOf(text);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const fail: Fail = (error) => {
        this.#waiting.delete(fail);
        this.noteLate(text, error);
        reject(error);
      };
      this.#waiting.add(fail);
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
    return this.#isAbandoned ? callerGone() : new OutOfTimeError("There is no time left");
  }

  #end(error: () => Error): void {
    this.#isOver = true;
    const waiting = [...this.#waiting];
    this.#waiting.clear(); // each hears once, though a caller may leave after the time is over
    for (const fail of waiting) fail(error());
  }
}

/** Sends a statement, and waits for its answer within the limit of the operation that sends it, if it has one. */
export function withinLimit<Answer>(
  text: string,
  send: () => Promise<Answer>,
  drop: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const limit = limits.value;
  return limit ? limit.wait(text, send, drop) : send();
}

/** The limit of the operation that runs; undefined where it has none. */
export const currentLimit = (): TimeLimit | undefined => limits.value;

/** Milliseconds that are left to the operation; null where it has no limit. */
export const timeLeft = (): number | null => limits.value?.leftMs ?? null;

/** Does work without a limit of time, whose connections count among those of `caller`. */
export function asCaller<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
  return limits.run(new TimeLimit(Infinity, caller), work);
}

/** Begins work that goes on when the operation has been answered: its limit does not count. */
export function withoutLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  return limits.run(undefined, work);
}

/** Waits for such work: the time of the operation stands still meanwhile. */
export function besideLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  const limit = limits.value;
  return limit ? limit.pause(work) : work();
}

/** Runs a short read in 5 seconds of its own: others wait for it, too, or it follows a commit. */
export function inOwnTime<Result>(work: () => Promise<Result>): Promise<Result> {
  return new TimeLimit(5_000).run(work);
}

/** Shares the reads of /metrics that overlap. Each resolves to null where it fails or takes longer than a second. */
export function metricsRead<Result>(read: () => Promise<Result>): () => Promise<Result | null> {
  let running: Promise<Result | null> | undefined;
  const limited = () => new TimeLimit(1_000).run(read).catch(() => null);
  return () => (running ??= limited().finally(() => (running = undefined)));
}
