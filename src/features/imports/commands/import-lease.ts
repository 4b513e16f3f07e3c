// Who works on an import: one process at a time, which says again and again that it still does, and how far it is.
import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "#src/base/errors.ts";
import { changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { mayRunImport } from "#src/features/imports/access.ts";
import { importEvent, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import type { Progress } from "#src/features/imports/model/open-import.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ImportState } from "#src/generated/prisma/enums.ts";
import { Lease } from "#src/jobs/lease.ts";

/** An import, as those who work on it know it. */
export interface LeasedImport {
  readonly id: string;
  readonly spaceId: string;
  readonly organizationId: string;
  readonly changeRequestId: string | null;
  readonly createdById: string;
}

/** How often, in milliseconds, numbers are told at most. */
const tellMs = 250;

/** The hold that this process has on an import. */
export class ImportLease {
  readonly #context: Context;
  readonly #of: LeasedImport;
  readonly #lease: Lease;
  #progress: Progress = { found: 0, read: 0, written: 0 };
  #telling: Promise<void> | null = null;

  constructor(context: Context, of: LeasedImport) {
    this.#context = context;
    this.#of = of;
    this.#lease = new Lease(context.clock);
  }

  /** Aborted when somebody else has it, or it was cancelled: nothing of it can be written any more. */
  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  /** Takes the import. False when it has ended, or another process works on it. */
  async take(): Promise<boolean> {
    const now = this.#context.clock.now();
    const isFree: Prisma.ContentImportWhereInput = {
      state: { in: ["pending", "running"] },
      OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }],
    };
    const isTaken = await this.#write(
      { state: "running", startedAt: now },
      { where: isFree, type: importProgressEvents.progressed },
    );
    if (isTaken) void this.#keep();
    return isTaken;
  }

  /** Tells how far it is; not at once, and not every number. */
  tell(progress: Progress): void {
    this.#progress = progress;
    this.#telling ??= this.#tellLater()
      // The next number may be told, or the end: nobody waits for this one.
      .catch((error: unknown) => this.#context.log.warn({ err: error }, "The progress of an import was not told"))
      .finally(() => (this.#telling = null));
  }

  /** Ends the import in the transaction of what it has written. Throws when it is no longer held. */
  async finish(transaction: Transaction, data: Prisma.ContentImportUncheckedUpdateManyInput): Promise<DomainEvent[]> {
    const { count } = await transaction.contentImport.updateMany({
      where: this.#held,
      data: { ...this.#progress, ...data, ...this.#ended("done") },
    });
    if (count === 0) throw lost(this.#of.id);
    return [this.#event(longImportEvents.ended, "done")];
  }

  /** Ends it without anything written. */
  async fail(error: string): Promise<void> {
    await this.#write(
      { ...this.#ended("failed"), error, ...this.#progress },
      { where: this.#held, type: longImportEvents.ended },
    );
  }

  /** Leaves it for whoever takes it next. */
  async release(): Promise<void> {
    await this.#context.database.prisma.contentImport.updateMany({ where: this.#held, data: { leaseUntil: null } });
  }

  /** Ends what goes on beside the work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#lease[Symbol.dispose]();
    await this.#telling;
  }

  get #held() {
    return { id: this.#of.id, lease: this.#lease.key, state: "running" } as const;
  }

  #ended(state: ImportState) {
    return { state, endedAt: this.#context.clock.now(), lease: null, leaseUntil: null };
  }

  #event(type: EventType, state: ImportState): DomainEvent {
    return importEvent(type, this.#of, { state, changeRequestId: this.#of.changeRequestId, ...this.#progress });
  }

  /** Changes the row and tells of it; false when it is not as `where` says. */
  #write(
    data: Prisma.ContentImportUncheckedUpdateManyInput & { state?: ImportState },
    { where, type }: { where: Prisma.ContentImportWhereInput; type: EventType },
  ): Promise<boolean> {
    return changeIfAny(this.#context, mayRunImport, this.#of, async (transaction) => {
      const { count } = await transaction.contentImport.updateMany({
        where: { ...where, id: this.#of.id },
        data: { ...this.#lease.columns, ...data },
      });
      return { result: count === 1, events: count === 1 ? [this.#event(type, data.state ?? "running")] : [] };
    });
  }

  async #tellLater(): Promise<void> {
    const { over } = this.#lease;
    await wait(tellMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    const isHeld = await this.#write(
      { ...this.#progress },
      { where: this.#held, type: importProgressEvents.progressed },
    );
    if (!isHeld) this.#lease.lose(lost(this.#of.id));
  }

  #keep(): Promise<void> {
    const { contentImport } = this.#context.database.prisma;
    const renew = async (data: Lease["columns"]) =>
      (await contentImport.updateMany({ where: this.#held, data })).count > 0;
    return this.#lease.keep(renew, () => lost(this.#of.id));
  }
}

const lost = (id: string): DomainError =>
  new DomainError("CONFLICT", `The import ${id} was cancelled, or is run by another process.`);
