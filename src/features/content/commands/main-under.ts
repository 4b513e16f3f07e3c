// Finds the revision of the main content that a change request was based on at an earlier time.
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type ContentPlace, type Head, readHead } from "#src/features/content/commands/lock.ts";

/**
 * The revision of the main content that a change request was based on at one of its revisions, or at the one that it
 * started from, when it is not the same as now; undefined otherwise. Whenever the base changes, the new revision names
 * it as its second parent.
 */
export async function mainUnder(
  transaction: Transaction,
  { changeRequestId }: ContentPlace,
  revisionId: string,
): Promise<Head | undefined> {
  if (changeRequestId === null) return undefined;
  const [found] = await transaction.$queryRaw<{ then: string | null; now: string }[]>(
    sql`select coalesce(cr."revisionMergedAncestorId", cr."revisionInitialId") as now, case
        when at.id = cr."revisionInitialId" then at.id
        when at."changeRequestId" = cr.id then coalesce((select r.parents[2] from "Revision" r
          where r."spaceId" = cr."spaceId" and r."changeRequestId" = cr.id and cardinality(r.parents) > 1
            and (r."createdAt", r.id) <= (at."createdAt", at.id)
          order by r."createdAt" desc, r.id desc limit 1), cr."revisionInitialId") end as then
      from "ChangeRequest" cr, "Revision" at where cr.id = ${changeRequestId} and at.id = ${revisionId}`,
  );
  return found?.then && found.then !== found.now ? readHead(transaction, found.then) : undefined;
}
