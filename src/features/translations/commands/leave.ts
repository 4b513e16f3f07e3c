// What becomes of translations when spaces leave their organization: those whose source leaves are deleted, and a
// translated space that leaves is one of its own from then on.
import { sql } from "#src/db/connection/database.ts";
import { contentLeaves } from "#src/features/collections/commands/move.ts";

export const translationsLeave = contentLeaves.join(async (transaction, { spaces }) => {
  await transaction.$executeRaw(sql`delete from "Translation" t where t."sourceSpaceId" in (${spaces})`);
  await transaction.$executeRaw(
    sql`update "Translation" t set "resultSpaceId" = null, "dueAt" = null where t."resultSpaceId" in (${spaces})`,
  );
});
