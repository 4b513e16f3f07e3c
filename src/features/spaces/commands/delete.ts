// Deleting spaces, and restoring them within seven days.
import { DomainError, found, notFound } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { deletedUnlessGone } from "#src/features/collections/commands/gone.ts";
import { deleteSpace as remove, restoreSpace as restore, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { endOfRetention } from "#src/features/spaces/commands/purge.ts";
import { findDeletedSpace, findSpace } from "#src/features/spaces/reads.ts";

/**
 * Deletes a space, to be removed for good seven days later. Needs `admin` there. Until then its admins may restore it, and it keeps its place.
 *
 * Answers false, and changes nothing, for a space that is not there (deleted ones are not) or that the viewer may not see.
 */
export async function deleteSpace(context: Context, id: string): Promise<{ deleted: boolean }> {
  const space = await findSpace(context, id, want(spaceRoleColumns));
  if (!space) return { deleted: false };
  const { organizationId } = space;
  const deletion = change(context, remove, space, async (transaction) => {
    const { count } = await transaction.space.updateMany({
      where: { id, organizationId, deletedAt: null },
      data: { deletedAt: context.clock.now() },
    });
    if (count === 0) throw notFound("space");
    return { result: null, events: [{ type: "space.deleted", subjectId: id, organizationId, spaceId: id }] };
  });
  return deletedUnlessGone(deletion);
}

/**
 * Brings a space back to its place, with everything in it. Needs `admin` there.
 *
 * Throws CONFLICT for a space that is not deleted, NOT_FOUND for one that was deleted more than seven days ago and for those who may not restore it.
 */
export async function restoreSpace(context: Context, id: string): Promise<{ id: string }> {
  const wanted = want(spaceRoleColumns);
  const present = await findSpace(context, id, wanted);
  const space = present ?? found(await findDeletedSpace(context, id, wanted), "space");
  const { organizationId } = space;
  return change(context, restore, space, async (transaction) => {
    const { count } = await transaction.space.updateMany({
      where: { id, organizationId, deletedAt: { gte: endOfRetention(context.clock) } },
      data: { deletedAt: null },
    });
    if (count === 0) {
      const isThere = await transaction.space.count({ where: { id, organizationId, deletedAt: null } });
      throw isThere ? new DomainError("CONFLICT", "The space is not deleted.") : notFound("space");
    }
    return { result: { id }, events: [{ type: "space.restored", subjectId: id, organizationId, spaceId: id }] };
  });
}
