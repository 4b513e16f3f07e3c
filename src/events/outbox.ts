// The outbox: events are rows written in the transaction of their change, so that both are committed or neither.
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { DomainEvent } from "#src/events/event.ts";

/** Writes the events of one change, made by the user `actorId`, or by no user. */
export async function appendEvents(
  transaction: Prisma.TransactionClient,
  actorId: string | null,
  events: readonly DomainEvent[],
): Promise<void> {
  await transaction.outboxEvent.createMany({
    data: events.map(({ type, subjectId, organizationId, spaceId, payload }) => ({
      type,
      subjectId,
      organizationId: organizationId ?? null,
      spaceId: spaceId ?? null,
      actorId,
      payload: { ...payload } as Prisma.InputJsonObject, // facts are JSON; an interface is just none to the compiler
    })),
  });
}
