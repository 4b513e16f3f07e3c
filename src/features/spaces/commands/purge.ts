// Removing spaces for good, when nobody can restore them any more.
import type { Clock } from "#src/base/time.ts";
import { type Database, sql } from "#src/db/database.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";

/** How long a deleted space can be restored (spec 1, section 8). */
const retentionMs = 7 * 24 * 60 * 60 * 1000;

/** What was deleted before this instant is gone: it cannot be restored, and is removed for good. */
export function endOfRetention(clock: Clock): Date {
  return new Date(clock.now().getTime() - retentionMs);
}

/**
 * Removes up to `limit` spaces that are gone, with everything in them, in one statement. Answers how many. No viewer
 * does this, so it does not go through `change`; each leaves its event all the same. Several processes may do it at a
 * time: each takes spaces that no other has taken.
 */
export async function removeGoneSpaces(database: Database, clock: Clock, limit: number): Promise<number> {
  const removed = await database.query<{ subjectId: string }>(
    sql`with gone as (
        select id from "Space" where "deletedAt" < ${endOfRetention(clock).toISOString()}::timestamptz
        order by "deletedAt" limit ${limit}::int for update skip locked),
      emptied as (update "Organization" set "defaultSpaceId" = null where "defaultSpaceId" in (select id from gone)),
      removed as (delete from "Space" where id in (select id from gone) returning id, "organizationId")
      insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId")
      select ${spaceEvents.purged}::text, id, "organizationId", id from removed returning "subjectId"`,
  );
  return removed.length;
}
