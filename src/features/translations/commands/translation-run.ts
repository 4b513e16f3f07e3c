// A claimed run of a translation: it writes its progress and its end.
import type { ErrorCode } from "#src/base/errors.ts";
import type { Translator } from "#src/base/translator.ts";
import type { Transaction } from "#src/domain/change.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { bookWords, type Remembered, remember, reserveWords } from "#src/features/translations/commands/memory.ts";
import { translationEvent, translationEvents, translationProgressEvents } from "#src/features/translations/events.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";
import type { JobContext } from "#src/jobs/job.ts";
import { type Lease, type LeaseColumns, released, unclaimed } from "#src/jobs/long-work.ts";
import { type Backoff, nextTryAt } from "#src/runtime/backoff.ts";

/** It runs without a viewer: rights were checked when the translation was created. */
export type Translating = Pick<JobContext, "database" | "clock" | "log" | "charge"> & {
  readonly translator: Translator;
};

const minuteMs = 60_000;

/** A time for people, such as `2026-01-31 09:05 UTC`. */
const toTheMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** The time of the retry of a failed run. */
const backoff: Backoff = { firstMs: 15 * minuteMs, mostMs: 24 * 60 * minuteMs };

/** Selects translations that are due and whose spaces exist. */
const isDue = (now: Date) => ({
  dueAt: { lte: now },
  ...unclaimed(now),
  sourceSpace: { deletedAt: null },
  resultSpace: { deletedAt: null },
});

/** Claims a translation that is due; null if it is not, or if one of its spaces was deleted. */
export function claimTranslation(
  { database, clock }: Translating,
  id: string,
  columns: LeaseColumns,
): Promise<TranslationModel | null> {
  const now = clock.now();
  return database.prisma.$transaction(async (transaction) => {
    const [due] = await transaction.translation.updateManyAndReturn({ where: { id, ...isDue(now) }, data: columns });
    if (!due) return null;
    const fresh = { startedAt: now, latestWords: 0, latestPages: 0, latestSeconds: 0, donePages: 0, allPages: 0 };
    const begun = { status: "running", error: null, errorCode: null, updatedAt: now, reservedWords: 0 } as const;
    const data = { ...begun, ...(due.status !== "running" && fresh) };
    const claimed = await transaction.translation.update({ where: { id }, data });
    const event = translationEvent(translationProgressEvents.progressed, claimed, { status: "running" });
    await appendEvents(transaction, null, [event]);
    return claimed;
  });
}

/** Why a run has failed. */
export interface Failure {
  readonly message: string;
  readonly code: ErrorCode;
}

export class TranslationRun {
  readonly translation: TranslationModel;
  readonly #at: Translating;
  readonly #lease: Lease;

  constructor(at: Translating, lease: Lease, translation: TranslationModel) {
    this.#at = at;
    this.#lease = lease;
    this.translation = translation;
  }

  /** Aborted when the run has lost its lease, or the process stops. */
  get signal(): AbortSignal {
    return this.#lease.signal;
  }

  /** Reserves words of the monthly quota before requests to the engine. CONFLICT if the quota is exceeded. */
  async reserve(words: number): Promise<void> {
    const { database, clock, translator } = this.#at;
    const { organizationId } = this.translation;
    const of = {
      claimed: this.#lease.claimed,
      organizationId,
      words,
      most: translator.wordsPerMonth,
      now: clock.now(),
    };
    const isReserved = await database.prisma.$transaction((transaction) => reserveWords(transaction, of));
    if (!isReserved) throw this.#lease.lostError;
  }

  /** Stores the translated segments of a page, and books their words in place of the reserved ones. */
  async keep(made: Remembered, words: number): Promise<void> {
    const { organizationId } = this.translation;
    const now = this.#at.clock.now();
    await this.#at.database.prisma.$transaction(async (transaction) => {
      await bookWords(transaction, { organizationId, words, now });
      await remember(transaction, { organizationId, now }, made);
      await transaction.translation.updateMany({
        where: this.#lease.claimed,
        data: { latestWords: { increment: words }, latestPages: { increment: 1 }, reservedWords: 0 },
      });
    });
  }

  /** Writes the progress of the run, as {@link Lease.progress} does. */
  progress(progress: { donePages: number; allPages: number }): Promise<void> {
    const { donePages, allPages: pages } = progress;
    const event = translationEvent(translationProgressEvents.progressed, this.translation, {
      status: "running",
      donePages,
      pages,
    });
    return this.#lease.progress(() =>
      this.#at.database.prisma.$transaction(async (transaction) => {
        const { count } = await transaction.translation.updateMany({ where: this.#lease.claimed, data: progress });
        if (count > 0) await appendEvents(transaction, null, [event]);
        return count > 0;
      }),
    );
  }

  /** Ends the run with an error code, and a message for people, which says when it is retried. */
  async fail({ message: reason, code: errorCode }: Failure): Promise<void> {
    const failures = this.translation.failures + 1;
    const dueAt = nextTryAt(backoff, { failures, now: this.#at.clock.now() });
    const error = `${reason} The next run is at ${toTheMinute(dueAt)}.`;
    await this.#at.database.prisma.$transaction(async (transaction) => {
      await this.#end(transaction, { status: "failed", error, errorCode, failures, dueAt });
      await appendEvents(transaction, null, [translationEvent(translationEvents.failed, this.translation, { error })]);
    });
  }

  /** Ends the run in the transaction that writes its result. Throws CONFLICT if its claim has ended. */
  async finish(transaction: Transaction, data: Prisma.TranslationUncheckedUpdateManyInput): Promise<TranslationModel> {
    return this.#end(transaction, { ...data, status: "completed", failures: 0 });
  }

  /** Writes the end of a run, and adds its counts to the sums. */
  async #end(transaction: Transaction, data: Prisma.TranslationUncheckedUpdateManyInput): Promise<TranslationModel> {
    await transaction.$executeRaw`select from "Translation" where id = ${this.translation.id} for update`;
    const present = await transaction.translation.findFirst({ where: this.#lease.claimed });
    if (!present) throw this.#lease.lostError;
    const now = this.#at.clock.now();
    const latestSeconds = Math.max(0, now.getTime() - (present.startedAt ?? now).getTime()) / 1000;
    const sums = {
      runs: { increment: 1 },
      totalWords: { increment: present.latestWords },
      totalPages: { increment: present.latestPages },
      totalSeconds: { increment: latestSeconds },
    };
    const ended = { ...sums, latestSeconds, updatedAt: now, ...released, reservedWords: 0 };
    await transaction.translation.updateMany({ where: this.#lease.claimed, data: { ...ended, ...data } });
    return present;
  }
}
