// A claimed run of an import: it writes how far the run is, and its end.
import type { Progress } from "#src/features/imports/model/open-import.ts";
import { changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { mayRunImport } from "#src/features/imports/access.ts";
import { importEvent, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ImportState } from "#src/generated/prisma/enums.ts";
import { type Lease, type LeaseColumns, released, unclaimed } from "#src/jobs/long-work.ts";

/** An import, and where its content goes. */
export interface ImportPlace {
  readonly id: string;
  readonly spaceId: string;
  readonly organizationId: string;
  readonly changeRequestId: string | null;
  readonly createdById: string;
}

const nothing: Progress = { found: 0, read: 0, written: 0 };

/** Claims an import. False if it has ended, or another process works on it. */
export function claimImport(context: Context, place: ImportPlace, columns: LeaseColumns): Promise<boolean> {
  const now = context.clock.now();
  return write(context, place, {
    where: { state: { in: ["pending", "running"] }, ...unclaimed(now) },
    data: { ...columns, state: "running", startedAt: now },
    event: eventOf(importProgressEvents.progressed, place, { state: "running", ...nothing }),
  });
}

/** See the head of this file. */
export class ImportRun {
  readonly #context: Context;
  readonly #place: ImportPlace;
  readonly #lease: Lease;
  #progress = nothing;

  constructor(context: Context, place: ImportPlace, lease: Lease) {
    this.#context = context;
    this.#place = place;
    this.#lease = lease;
  }

  /** Writes how far the run is, as {@link Lease.progress} does. */
  progress(progress: Progress): void {
    this.#progress = progress;
    void this.#lease.progress(() =>
      this.#write({ ...progress }, { type: importProgressEvents.progressed, state: "running" }),
    );
  }

  /** Ends the import in the transaction of what it has written. Throws CONFLICT if it is no longer claimed. */
  async finish(transaction: Transaction, data: Prisma.ContentImportUncheckedUpdateManyInput): Promise<DomainEvent[]> {
    const { count } = await transaction.contentImport.updateMany({
      where: this.#lease.claimed,
      data: { ...this.#progress, ...data, ...this.#ended("done") },
    });
    if (count === 0) throw this.#lease.lostError;
    return [eventOf(longImportEvents.ended, this.#place, { state: "done", ...this.#progress })];
  }

  /** Ends it without anything written. */
  async fail(error: string): Promise<void> {
    const data = { ...this.#ended("failed"), error, ...this.#progress };
    await this.#write(data, { type: longImportEvents.ended, state: "failed" });
  }

  #ended(state: ImportState) {
    return { state, endedAt: this.#context.clock.now(), ...released };
  }

  #write(
    data: Prisma.ContentImportUncheckedUpdateManyInput,
    { type, state }: { type: EventType; state: ImportState },
  ): Promise<boolean> {
    const event = eventOf(type, this.#place, { state, ...this.#progress });
    return write(this.#context, this.#place, { where: this.#lease.claimed, data, event });
  }
}

const eventOf = (type: EventType, place: ImportPlace, facts: Progress & { state: ImportState }): DomainEvent =>
  importEvent(type, place, { changeRequestId: place.changeRequestId, ...facts });

/** Changes the row with its event; false if it is not as `where` says. */
function write(
  context: Context,
  place: ImportPlace,
  of: {
    where: Prisma.ContentImportWhereInput;
    data: Prisma.ContentImportUncheckedUpdateManyInput;
    event: DomainEvent;
  },
): Promise<boolean> {
  const { where, data, event } = of;
  return changeIfAny(context, mayRunImport, place, async (transaction) => {
    const { count } = await transaction.contentImport.updateMany({ where: { ...where, id: place.id }, data });
    return { result: count === 1, events: count === 1 ? [event] : [] };
  });
}
