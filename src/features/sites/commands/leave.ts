// What happens to sites when the spaces on them leave their organization, or are removed for good.
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { contentLeaves } from "#src/features/collections/commands/move.ts";
import { siteSpaceEvents } from "#src/features/sites/events.ts";
import { spacesGo } from "#src/features/spaces/commands/delete.ts";

/** Its spaces leave the sites. */
export const siteSpacesLeave = contentLeaves.join((transaction, { spaces }) => takeOffSites(transaction, spaces));

/** Spaces that are removed leave the sites that showed them. */
export const siteSpacesGo = spacesGo.join((transaction, { spaces }) => takeOffSites(transaction, spaces));

/** Takes spaces off all sites, and locks their structures for that. `spaces` is SQL that selects their ids. */
async function takeOffSites(transaction: Transaction, spaces: Sql): Promise<void> {
  await transaction.$executeRaw(
    sql`update "Site" set "structureVersion" = "structureVersion" + 1 where id in (select s.id from "Site" s
      where s.id in (select p."siteId" from "SiteSpace" p where p."spaceId" in (${spaces})) order by s.id for no key update)`,
  );
  await transaction.$executeRaw(
    sql`with gone as (delete from "SiteSpace" p where p."spaceId" in (${spaces}) returning p.*)
      insert into "OutboxEvent" (type, "subjectId", "organizationId", payload)
      select ${siteSpaceEvents.deleted}::text, g.id, s."organizationId", jsonb_build_object('siteId', g."siteId",
        'spaceId', g."spaceId", 'title', g."title", 'siteSectionId', g."sectionId")
      from gone g join "Site" s on s.id = g."siteId"`,
  );
}
