// Long work: one process at a time works on a row (columns `lease` and `leaseUntil`), and renews its lease meanwhile;
// when it dies, another one claims the row after the lease has expired.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import type { Clock } from "#src/base/time.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import type { Sample } from "#src/runtime/series.ts";
import { type Database, identifier, type Sql, sql } from "#src/db/connection/database.ts";

/** The minimum time between two writes of the progress of one row, in milliseconds. */
const progressMs = 250;

/** Selects rows that no process has a valid lease of. */
export const unclaimed = (now: Date) => ({ OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] });

/** The columns of a row without a lease. */
export const released = { lease: null, leaseUntil: null } as const;

/** Selects the row while this process has its lease. */
export interface Claimed {
  readonly id: string;
  readonly lease: string;
}

export interface LeaseColumns {
  lease: string;
  leaseUntil: Date;
}

export interface LongWork<Row extends { readonly id: string }, Result> {
  readonly table: string;
  readonly noun: string;
  readonly leaseMs?: number; // how long a lease is valid without renewal; a minute by default
  /** Writes the columns of the lease; null if the row is not due, or claimed by another process. */
  readonly claim: (columns: LeaseColumns) => Promise<Row | null>;
  readonly start: (row: Row, lease: Lease) => Started<Result>;
  /** Whether ends are so frequent that only failures are logged. */
  readonly isFrequent?: boolean;
  /** Whether a run that has ended without an error counts as failed. By default it does not. */
  readonly isFailure?: (result: Result) => boolean;
  /** Leaves a row to other processes. By default its lease is removed. */
  readonly release?: (claimed: Claimed) => Promise<unknown>;
}

interface Started<Result> {
  readonly run: () => Promise<Result>;
  /** Ends work that has failed. By default the row is released, and the error thrown. */
  readonly fail?: (error: unknown) => Promise<Result>;
}

/** The lease of a claimed row. */
export class Lease {
  readonly claimed: Claimed;
  readonly #noun: string;
  readonly #failures: RepeatedWarning;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  /** Aborted when results can no longer be written, or the process stops. */
  readonly signal: AbortSignal;
  #write: () => Promise<boolean> = () => Promise.resolve(true);
  #writing: Promise<void> | null = null;
  #writtenAt = -Infinity;

  constructor(claimed: Claimed, { noun, log, stopping }: { noun: string; log: Logger; stopping: AbortSignal }) {
    this.claimed = claimed;
    this.#noun = noun;
    this.#failures = new RepeatedWarning(log, `The progress of a ${noun} was not written`);
    this.signal = AbortSignal.any([this.#lost.signal, stopping]);
  }

  /** The error of work whose row was cancelled or deleted, or that another process has claimed. */
  get lostError(): DomainError {
    const { id } = this.claimed;
    return new DomainError("CONFLICT", `The ${this.#noun} ${id} was cancelled or changed, or runs in another process.`);
  }

  /** Writes the progress, at most once in 250 ms and only the latest; failures are logged, false loses the lease. */
  async progress(write: () => Promise<boolean>): Promise<void> {
    this.#write = write;
    if (this.#writing) return;
    const waitMs = this.#writtenAt + progressMs - performance.now();
    this.#writing = this.#writeProgress(waitMs).finally(() => (this.#writing = null));
    if (waitMs <= 0) await this.#writing;
  }

  async #writeProgress(waitMs: number): Promise<void> {
    if (waitMs > 0) await wait(waitMs, undefined, { signal: this.#over.signal }).catch(() => {});
    if (this.#over.signal.aborted) return;
    this.#writtenAt = performance.now();
    try {
      if (!(await this.#write())) this.#lost.abort(this.lostError);
    } catch (error) {
      // The next progress may be written, or the end.
      this.#failures.log(error, { id: this.claimed.id });
    }
  }

  /** Renews the lease every `ms` until the work ends; `renew` returns the rows that are still claimed. */
  async keep(renew: () => Promise<readonly unknown[]>, ms: number): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await wait(ms, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      // A database that is unreachable now may be back the next time.
      const rows = await renew().catch(() => null);
      if (rows?.length === 0) this.#lost.abort(this.lostError);
    }
  }

  /** Ends the background work of a run. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#writing;
  }
}

/** For work of a process that is not expected to stop. */
export const neverStopping: AbortSignal = new AbortController().signal;

type End = "done" | "failed" | "handed over";

const ends = new Map<string, { readonly labels: Record<"work" | "outcome", string>; count: number }>();

/** The ends of long work in this process, by its noun and outcome. */
export const longWorkEnds = (): Sample[] => Array.from(ends.values(), ({ labels, count }) => [labels, count] as const);

function countEnd(work: string, outcome: End): void {
  const key = `${work} ${outcome}`;
  const end = ends.get(key) ?? { labels: { work, outcome }, count: 0 };
  end.count += 1;
  ends.set(key, end);
}

/** How many rows one run of a job works on at once: each waits most of the time, for a server or a thread. */
const atOnce = 4;

/** Works on rows side by side, until the process stops. */
export async function sideBySide<Row>(
  rows: readonly Row[],
  stopping: AbortSignal,
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  const waiting = [...rows];
  const next = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined && !stopping.aborted; row = waiting.shift()) await work(row);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Claims a row and works on it. Null if it cannot be claimed, or if the process stops before and leaves it. */
export async function workOn<Row extends { readonly id: string }, Result>(
  { database, clock, log }: { database: Pick<Database, "query">; clock: Clock; log: Logger },
  work: LongWork<Row, Result>,
  stopping: AbortSignal,
): Promise<Result | null> {
  const { leaseMs = 60_000 } = work;
  const table = identifier(work.table);
  const key = randomUUID();
  const until = () => new Date(clock.now().getTime() + leaseMs);
  const row = await work.claim({ lease: key, leaseUntil: until() });
  if (!row) return null;
  const claimed = { id: row.id, lease: key };
  const isClaimed = sql`where id = ${row.id} and lease = ${key}`;
  const update = (change: Sql) => database.query(sql`update ${table} set ${change} ${isClaimed} returning id`);
  const remove = () => update(sql`lease = null, "leaseUntil" = null`);
  const renew = () => update(sql`"leaseUntil" = ${until().toISOString()}::timestamptz`);
  const lease = new Lease(claimed, { noun: work.noun, log, stopping });
  void lease.keep(renew, leaseMs / 4);
  const { run, fail } = work.start(row, lease);
  const begun = performance.now();
  let outcome: End = "done";
  let release: () => Promise<unknown> = remove; // unless the end was written by the work
  try {
    const result = await run();
    if (work.isFailure?.(result)) outcome = "failed";
    return result;
  } catch (error) {
    outcome = stopping.aborted ? "handed over" : "failed";
    release = () => work.release?.(claimed) ?? remove();
    if (fail && !stopping.aborted) return await fail(error);
    if (stopping.aborted) return null;
    throw error;
  } finally {
    await lease.end();
    countEnd(work.noun, outcome);
    const line = { work: work.noun, id: row.id, outcome, ms: Math.round(performance.now() - begun) };
    if (!work.isFrequent || outcome === "failed") log.info(line, "long work ended");
    await release().catch(() => {}); // if the database is unreachable, the lease expires
  }
}
