// The outbox: events are rows written in the transaction of their change, so that both are committed or neither.
import { sql } from "#src/db/database.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { DomainEvent } from "#src/events/event.ts";

/**
 * Writes the events of one change, made by the user `actorId`, or by no user. Their time is that of the database when
 * they are written: gateways may differ, and a transaction may have waited since it began.
 */
export async function appendEvents(
  transaction: Prisma.TransactionClient,
  actorId: string | null,
  events: readonly DomainEvent[],
): Promise<void> {
  const rows = events.map(({ type, subjectId, organizationId, spaceId, payload = {} }) => ({
    type,
    subjectId,
    organizationId,
    spaceId,
    payload,
  }));
  await transaction.$executeRaw(
    sql`insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "actorId", payload, "createdAt")
      select e.type, e."subjectId", e."organizationId", e."spaceId", ${actorId}, e.payload, clock_timestamp()
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (type text, "subjectId" text, "organizationId" text, "spaceId" text, payload jsonb)) with ordinality e order by ordinality`,
  );
}
