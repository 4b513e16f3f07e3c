// What happens to sites when content leaves their organization.
import { sql } from "#src/db/database.ts";
import { contentLeaves } from "#src/features/collections/commands/move.ts";
import { siteSpaceEvents } from "#src/features/sites/events.ts";

/** Its spaces leave the sites, whose structures are held for that, so that no other change of them comes between. */
export const siteSpacesLeave = contentLeaves.join(async (transaction, { from, spaces }) => {
  await transaction.$executeRaw(
    sql`update "Site" set "structureVersion" = "structureVersion" + 1 where id in (select s.id from "Site" s
      where s.id in (select p."siteId" from "SiteSpace" p where p."spaceId" in (${spaces})) order by s.id for no key update)`,
  );
  await transaction.$executeRaw(
    sql`with gone as (delete from "SiteSpace" p where p."spaceId" in (${spaces}) returning p.*)
      insert into "OutboxEvent" (type, "subjectId", "organizationId", payload)
      select ${siteSpaceEvents.deleted}::text, id, ${from}, jsonb_build_object('siteId', "siteId", 'spaceId', "spaceId",
        'title', "title", 'siteSectionId', "sectionId") from gone`,
  );
});
