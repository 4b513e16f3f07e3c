// Deleting spaces, restoring them within seven days, and removing them for good.
import { guestIdsOf, isForMembers, itemRoleColumns } from "#src/access/content.ts";
import { DomainError, notFound } from "#src/base/errors.ts";
import type { Clock } from "#src/base/time.ts";
import { type Database, type Sql, sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { change, type Deleted, deleteIfThere } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Moment } from "#src/domain/moments.ts";
import { mayDeleteSpace, mayRestoreSpace } from "#src/features/spaces/access.ts";
import { spaceDepartureEvents, spaceEvents, spaceFarewellEvents } from "#src/features/spaces/events.ts";
import { deletedSpaces, spaces } from "#src/features/spaces/reads.ts";

/**
 * Deletes a space, to be removed for good seven days later. Needs `admin` there. Until then its admins may restore it,
 * and it keeps its place.
 *
 * Changes nothing for a space that is not there (deleted ones are not) or that the viewer may not see.
 */
export async function deleteSpace(
  context: Context,
  id: string,
): Promise<Deleted & { organizationId: string | null; parentId: string | null }> {
  const space = await context.reader.row(spaces, id, want([...itemRoleColumns, "parentId"]));
  if (!space) return { deletedId: null, organizationId: null, parentId: null };
  const { organizationId, parentId } = space;
  const gone = await deleteIfThere(context, mayDeleteSpace, space, async (transaction) => {
    const [deleted] = await transaction.space.updateManyAndReturn({
      where: { id, organizationId, deletedAt: null },
      data: { deletedAt: context.clock.now() },
      select: { title: true },
    });
    return deleted
      ? { type: spaceFarewellEvents.deleted, subjectId: id, organizationId, spaceId: id, payload: deleted }
      : null;
  });
  return { ...gone, organizationId, parentId };
}

/**
 * Brings a space back to its place, with everything in it. Needs `admin` there.
 *
 * Throws CONFLICT for a space that is not deleted, NOT_FOUND for one that was deleted more than seven days ago and for
 * those who may not restore it.
 */
export async function restoreSpace(context: Context, id: string): Promise<{ id: string }> {
  const wanted = want(itemRoleColumns);
  const present = await context.reader.row(spaces, id, wanted);
  const space = present ?? (await context.reader.found(deletedSpaces, id, wanted));
  const { organizationId } = space;
  return change(context, mayRestoreSpace, space, async (transaction) => {
    const { count } = await transaction.space.updateMany({
      where: { id, organizationId, deletedAt: { gte: endOfRetention(context.clock) } },
      data: { deletedAt: null },
    });
    if (count === 0) {
      const isThere = await transaction.space.count({ where: { id, organizationId, deletedAt: null } });
      throw isThere ? new DomainError("CONFLICT", "The space is not deleted.") : notFound("space");
    }
    return { result: { id }, events: [{ type: spaceEvents.restored, subjectId: id, organizationId, spaceId: id }] };
  });
}

/** How long a deleted space can be restored (spec 1, section 8). */
const retentionMs = 7 * 24 * 60 * 60 * 1000;

/** What was deleted before this instant is gone: it cannot be restored, and is removed for good. */
function endOfRetention(clock: Clock): Date {
  return new Date(clock.now().getTime() - retentionMs);
}

/** Spaces that are removed for good, in the same transaction: their ids, as SQL that selects them. */
export const spacesGo = new Moment<{ readonly spaces: Sql }>("spaces are removed for good");

/**
 * Removes up to `limit` spaces that are gone, with everything in them. Answers how many. No viewer does this, so it
 * does not go through `change`; each leaves its event all the same. Several processes may do it at a time: each takes
 * spaces that no other has taken.
 */
export function removeGoneSpaces({ prisma }: Database, clock: Clock, limit: number): Promise<number> {
  return prisma.$transaction(async (transaction) => {
    const gone = await transaction.$queryRaw<{ id: string }[]>(
      sql`select id from "Space" where "deletedAt" < ${endOfRetention(clock).toISOString()}::timestamptz
        order by "deletedAt" limit ${limit}::int for update skip locked`,
    );
    if (gone.length === 0) return 0;
    const ids = sql`select unnest(${gone.map(({ id }) => id)}::text[])`;
    await transaction.$executeRaw(
      sql`update "Organization" set "defaultSpaceId" = null where "defaultSpaceId" in (${ids})`,
    );
    await spacesGo.come(transaction, { spaces: ids });
    return transaction.$executeRaw(
      sql`with removed as (delete from "Space" t where t.id in (${ids})
          returning id, "organizationId", title, ${isForMembers} as "isForMembers",
            ${guestIdsOf("space")} as "guestIds")
        insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", payload)
        select ${spaceDepartureEvents.purged}::text, id, "organizationId", id,
          json_build_object('title', title, 'wasForMembers', "isForMembers", 'guestIds', "guestIds") from removed`,
    );
  });
}
