// The outbox: events are rows written in the transaction of their change, so that both are committed or neither.
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { DomainEvent } from "#src/events/event.ts";

export interface EventsOf {
  readonly actorId: string | null;
  readonly events: readonly DomainEvent[];
}

/** Writes the events of one change, as {@link appendAllEvents} does. */
export const appendEvents = (
  transaction: Prisma.TransactionClient,
  actorId: string | null,
  events: readonly DomainEvent[],
): Promise<void> => appendAllEvents(transaction, [{ actorId, events }]);

/** Writes the events of changes in order, with the database's time: clocks of gateways differ. */
export async function appendAllEvents(
  transaction: Prisma.TransactionClient,
  changes: readonly EventsOf[],
): Promise<void> {
  const rows = changes.flatMap(({ actorId, events }) =>
    events.map(({ type, subjectId, organizationId, spaceId, payload = {}, isByNobody = false }) => ({
      type,
      subjectId,
      organizationId,
      spaceId,
      actorId: isByNobody ? null : actorId,
      payload,
    })),
  );
  await transaction.$executeRaw(
    sql`insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "actorId", payload, "createdAt")
      select e.type, e."subjectId", e."organizationId", e."spaceId", e."actorId", e.payload, clock_timestamp()
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (type text, "subjectId" text, "organizationId" text, "spaceId" text, "actorId" text, payload jsonb)) with ordinality e order by ordinality`,
  );
}

/** Writes an event for each row of a query, which has its columns, in order. */
export async function appendSelectedEvents(transaction: Prisma.TransactionClient, rows: Sql): Promise<void> {
  await transaction.$executeRaw(
    sql`insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "actorId", payload, "createdAt")
      select e.type, e."subjectId", e."organizationId", e."spaceId", e."actorId", e.payload, clock_timestamp()
      from (${rows}) e`,
  );
}
