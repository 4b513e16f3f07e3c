// Telling organizations of what the publisher of an integration does to its installations there: who did it, and from
// where, is told in the publisher's own organization alone.
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { noOrigin, writeAudit } from "#src/events/audit.ts";
import { auditedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";

/** Writes the events: with the actor in the organization of the publisher, and without in every other one. */
export async function tellEach(
  transaction: Transaction,
  { viewer, origin }: Pick<Context, "viewer" | "origin">,
  { organizationId, events }: { organizationId: string; events: readonly DomainEvent[] },
): Promise<void> {
  for (const isOwn of [true, false]) {
    const told = events.filter((event) => (event.organizationId === organizationId) === isOwn);
    const audited = told.filter(({ type }) => auditedEvents.has(type));
    const actorId = isOwn ? viewer.userId : null;
    if (told.length > 0) await appendEvents(transaction, actorId, told);
    if (audited.length > 0) await writeAudit(transaction, { actorId, origin: isOwn ? origin : noOrigin }, audited);
  }
}
