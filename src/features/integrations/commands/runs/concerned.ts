// Which events may lead to deliveries. Those of an organization without installations do not.
import { type Queries, sql } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { isDelivered, isOfContent } from "#src/features/integrations/commands/enqueue-events.ts";

/** How many organizations without installations are known at most. */
const mostKnown = 10_000;

/** Knows the organizations that had no installations, until an event of an installation says otherwise. */
export class ConcernedOrganizations {
  readonly #without = new Set<string>();
  /** How many events of installations came. */
  #changes = 0;

  /** Whether the event may lead to deliveries. */
  has({ type, organizationId }: Pick<StoredEvent, "type" | "organizationId">): boolean {
    if (!isDelivered({ type })) return false;
    if (isOfContent({ type })) return organizationId === null || !this.#without.has(organizationId);
    this.#changes++;
    if (organizationId !== null) this.#without.delete(organizationId);
    return true;
  }

  /** Finds those of these organizations that have no installations; keeps none if one was installed meanwhile. */
  async learn(database: Queries, organizationIds: ReadonlySet<string>): Promise<void> {
    if (organizationIds.size === 0) return;
    const before = this.#changes;
    const without = await database.query<{ id: string }>(
      sql`select u.id from unnest(${[...organizationIds]}::text[]) u(id)
        where not exists (select from "IntegrationInstallation" i where i."organizationId" = u.id)`,
    );
    if (this.#changes !== before) return;
    if (this.#without.size + without.length > mostKnown) this.#without.clear();
    for (const { id } of without) this.#without.add(id);
  }
}
