// What happens to sites when content leaves their organization.
import { sql } from "#src/db/database.ts";
import { contentLeaves } from "#src/features/collections/commands/move.ts";

/** Its spaces leave the sites. */
export const siteSpacesLeave = contentLeaves.join(async (transaction, { spaces }) => {
  await transaction.$executeRaw(sql`delete from "SiteSpace" p where p."spaceId" in (${spaces})`);
});
