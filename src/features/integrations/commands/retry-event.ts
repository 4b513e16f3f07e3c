// Having an event of an installation tried again by hand.
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayRetryIntegrationEvent } from "#src/features/integrations/access/events.ts";
import { integrationEventEvents } from "#src/features/integrations/events.ts";
import { integrationEvents } from "#src/features/integrations/reads/events.ts";

/**
 * Has an event tried again at once: one that was given up once more, and one that waits for its next try sooner. For
 * admins of the organization.
 *
 * Throws NOT_FOUND for an event that the viewer may not see, CONFLICT for one that was handled, and while the
 * installation is not active.
 */
export async function retryIntegrationEvent(context: Context, id: string): Promise<{ id: string }> {
  const projection = project(["installationId", "organizationId", "integrationId"]);
  const event = await context.reader.found(integrationEvents, id, projection);
  return change(context, mayRetryIntegrationEvent, event, async (transaction) => {
    const { installationId, integrationId, organizationId } = event;
    const [row] = await transaction.$queryRaw<{ isTried: boolean }[]>(sql`
      with tried as (
        update "IntegrationEvent" e set status = 'pending', "finishedAt" = null,
          "nextTryAt" = ${context.clock.now().toISOString()}::timestamptz
        from "IntegrationInstallation" i
        where e.id = ${id} and e.status <> 'success' and i.id = e."installationId" and i.status = 'active'
        returning e.id)
      select exists(select from tried) as "isTried"`);
    if (!row?.isTried)
      throw new DomainError(
        "CONFLICT",
        "Only an event that was not handled yet is tried again, and only while its installation is active.",
      );
    const payload = { installationId, integrationId };
    return {
      result: { id },
      events: [{ type: integrationEventEvents.retried, subjectId: id, organizationId, payload }],
    };
  });
}
