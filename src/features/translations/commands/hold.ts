// The hold of this process on a translation that runs: it says how far that is, and that it has failed.
import { DomainError } from "#src/base/errors.ts";
import type { Translator } from "#src/base/translator.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { EventType } from "#src/events/declared.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { bookWords, remember, type Remembered, reserveWords } from "#src/features/translations/commands/memory.ts";
import { translationEvent, translationEvents, translationProgressEvents } from "#src/features/translations/events.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";
import type { JobContext } from "#src/jobs/job.ts";
import { Lease } from "#src/jobs/lease.ts";

/**
 * What a run needs. It is done with nobody's rights: who created the translation was asked for them, and pays for its
 * runs.
 */
export type Translating = Pick<JobContext, "database" | "clock" | "log" | "charge"> & {
  readonly translator: Translator;
};

const minuteMs = 60_000;
/** When a run that has failed is tried again: after twice as long each time, within these. */
const backoff = { firstMs: 15 * minuteMs, mostMs: 24 * 60 * minuteMs };

/** How often, in milliseconds, it is told how far a run is, at most. */
const tellMs = 500;

/** See the head of this file. */
export class TranslationHold implements Disposable {
  readonly translation: TranslationModel;
  readonly #at: Translating;
  readonly #lease: Lease;
  #toldAt = 0;

  private constructor(at: Translating, lease: Lease, translation: TranslationModel) {
    this.#at = at;
    this.#lease = lease;
    this.translation = translation;
    void lease.keep(
      async (data) => (await at.database.prisma.translation.updateMany({ where: this.held, data })).count > 0,
      () => new Error("The translation was deleted, or runs elsewhere."),
    );
  }

  /** Takes a translation that is due; null where it is not, another process has it, or one of its spaces is gone. */
  static async take(at: Translating, id: string): Promise<TranslationHold | null> {
    const lease = new Lease(at.clock);
    const now = at.clock.now();
    const translation = await at.database.prisma.$transaction(async (transaction) => {
      const { count } = await transaction.translation.updateMany({
        where: {
          id,
          dueAt: { lte: now },
          OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }],
          sourceSpace: { deletedAt: null },
          resultSpace: { deletedAt: null },
        },
        data: lease.columns,
      });
      if (count === 0) return null;
      const { status } = await transaction.translation.findUniqueOrThrow({ where: { id }, select: { status: true } });
      const anew = { startedAt: now, latestWords: 0, latestPages: 0, latestSeconds: 0, donePages: 0, allPages: 0 };
      const begun = { status: "running", error: null, updatedAt: now, reservedWords: 0 } as const;
      const data = { ...begun, ...(status !== "running" && anew) };
      const taken = await transaction.translation.update({ where: { id }, data });
      const event = translationEvent(translationProgressEvents.progressed, taken, { status: "running" });
      await appendEvents(transaction, null, [event]);
      return taken;
    });
    return translation && new TranslationHold(at, lease, translation);
  }

  /** Aborted when another process has the translation, or it was deleted: nothing of it can be written any more. */
  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  get held() {
    return { id: this.translation.id, lease: this.#lease.key } as const;
  }

  /** Reserves words of the month before the engine is asked. CONFLICT if the quota of the organization is used up. */
  async reserve(words: number): Promise<void> {
    const { database, clock, translator } = this.#at;
    const { organizationId } = this.translation;
    const of = { held: this.held, organizationId, words, most: translator.wordsPerMonth, now: clock.now() };
    const isReserved = await database.prisma.$transaction((transaction) => reserveWords(transaction, of));
    if (!isReserved) throw lost();
  }

  /** Keeps what the engine has made of a page, and books its words in place of the reserved ones. */
  async keep(made: Remembered, words: number): Promise<void> {
    const { organizationId } = this.translation;
    const now = this.#at.clock.now();
    await this.#at.database.prisma.$transaction(async (transaction) => {
      await bookWords(transaction, { organizationId, words, now });
      await remember(transaction, { organizationId, now }, made);
      await transaction.translation.updateMany({
        where: this.held,
        data: { latestWords: { increment: words }, latestPages: { increment: 1 }, reservedWords: 0 },
      });
    });
  }

  /** Tells how far the run is, the first time and then at most once in `tellMs`. */
  async tell(progress: { donePages: number; allPages: number }): Promise<void> {
    const now = performance.now();
    if (this.#toldAt > 0 && now - this.#toldAt < tellMs) return;
    this.#toldAt = now;
    const { donePages, allPages: pages } = progress;
    const told = { status: "running", donePages, pages };
    await this.#write(progress, translationProgressEvents.progressed, told);
  }

  /** Leaves it for whoever takes it next. */
  async release(): Promise<void> {
    await this.#at.database.prisma.translation.updateMany({
      where: this.held,
      data: { lease: null, leaseUntil: null, reservedWords: 0 },
    });
  }

  /** Ends the run with an error, which is for people; it is tried again later. */
  async fail(error: string): Promise<void> {
    const { clock } = this.#at;
    const failures = this.translation.failures + 1;
    const waitMs = Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.mostMs);
    const dueAt = new Date(clock.now().getTime() + waitMs);
    await this.#write({ status: "failed", error, failures, dueAt }, translationEvents.failed, { error }, true);
  }

  /** Ends the run in the transaction of what it has made. Throws when it is no longer held. */
  async finish(transaction: Transaction, data: Prisma.TranslationUncheckedUpdateManyInput): Promise<TranslationModel> {
    return this.#end(transaction, { ...data, status: "completed", failures: 0 });
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
  }

  async #write(
    data: Prisma.TranslationUncheckedUpdateManyInput,
    type: EventType,
    facts: Record<string, string | number>,
    isEnd = false,
  ): Promise<void> {
    await this.#at.database.prisma.$transaction(async (transaction) => {
      if (isEnd) await this.#end(transaction, data);
      else if ((await transaction.translation.updateMany({ where: this.held, data })).count === 0) throw lost();
      await appendEvents(transaction, null, [translationEvent(type, this.translation, facts)]);
    });
  }

  /** Writes what a run ends with, and adds what it has done to the sums. */
  async #end(transaction: Transaction, data: Prisma.TranslationUncheckedUpdateManyInput): Promise<TranslationModel> {
    await transaction.$executeRaw`select from "Translation" where id = ${this.translation.id} for update`;
    const present = await transaction.translation.findFirst({ where: this.held });
    if (!present) throw lost();
    const now = this.#at.clock.now();
    const latestSeconds = Math.max(0, now.getTime() - (present.startedAt ?? now).getTime()) / 1000;
    const sums = {
      runs: { increment: 1 },
      totalWords: { increment: present.latestWords },
      totalPages: { increment: present.latestPages },
      totalSeconds: { increment: latestSeconds },
    };
    const ended = { ...sums, latestSeconds, updatedAt: now, lease: null, leaseUntil: null, reservedWords: 0 };
    await transaction.translation.updateMany({ where: this.held, data: { ...ended, ...data } });
    return present;
  }
}

const lost = (): DomainError => new DomainError("CONFLICT", "The translation was deleted, or runs elsewhere.");
