// Events of the stories of the demo, as the commands write them, at the times of the stories.
import type { DomainEvent } from "#src/events/event.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

/** Collects events; {@link write} writes them. Entries without a time or actor are skipped. */
export class Diary {
  readonly #entries: { readonly time: Date; readonly by: string; readonly event: DomainEvent }[] = [];

  tell(time: Date, by: string, event: DomainEvent): void {
    this.#entries.push({ time, by, event });
  }

  /** Writes those after `since`, which are still retained, in their order. */
  async write(transaction: Prisma.TransactionClient, since: Date): Promise<void> {
    const entries = this.#entries.filter(({ time }) => time >= since);
    await transaction.outboxEvent.createMany({
      data: entries
        .toSorted((one, other) => one.time.getTime() - other.time.getTime())
        .map(({ time, by, event: { type, subjectId, organizationId, spaceId, payload } }) => ({
          type,
          subjectId,
          organizationId: organizationId ?? null,
          spaceId: spaceId ?? null,
          actorId: by,
          payload: { ...payload } as Prisma.InputJsonObject, // as in events/outbox
          createdAt: time,
        })),
    });
  }
}
