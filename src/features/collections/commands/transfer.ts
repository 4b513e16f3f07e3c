// Handing a collection with everything inside it to another organization.
import { itemRoleColumns } from "#src/access/content.ts";
import { found } from "#src/base/errors.ts";
import { sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { change, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayTransferCollection } from "#src/features/collections/access.ts";
import { leaveOrganization } from "#src/features/collections/commands/leave.ts";
import { placeSubtree } from "#src/features/collections/commands/move.ts";
import { findPlace, lockTrees } from "#src/features/collections/commands/place.ts";
import { collectionEvents } from "#src/features/collections/events.ts";
import { findDestination, collections } from "#src/features/collections/reads.ts";

/**
 * Hands a collection with everything inside to another organization, where it comes last at the top. Needs `admin`
 * there, and `create` in the target. Grants of people who are not there and of all teams fall away; the spaces leave
 * the sites and the default content of their organization. Where the collection already is in the target, nothing
 * changes.
 *
 * Throws NOT_FOUND for a collection or organization that the viewer may not see.
 */
export async function transferCollection(
  context: Context,
  { id, organizationId: target }: { id: string; organizationId: string },
): Promise<{ id: string }> {
  const collection = await context.reader.found(collections, id, want(itemRoleColumns));
  const { organizationId: source } = collection;
  // Before anything is said of the target.
  await requireAllowed(context, mayTransferCollection, { item: collection, to: null });
  if (source === target) return { id };
  const to = await findDestination(context, { organizationId: target, parentId: null });
  return change(context, mayTransferCollection, { item: collection, to }, async (transaction) => {
    await lockTrees(transaction, source, target);
    const current = found(
      await transaction.collection.findFirst({ where: { id, organizationId: source } }),
      "collection",
    );
    await leaveOrganization(transaction, {
      from: source,
      to: target,
      collections: sql`select c.id from "Collection" c where c.id = ${id} or c.ancestors @> array[${id}]`,
      spaces: sql`select s.id from "Space" s where s.ancestors @> array[${id}]`,
    });
    const place = await findPlace(transaction, context.viewer, { organizationId: target, parentId: null });
    const depth = current.ancestors.length;
    await placeSubtree(transaction, { id, organizationId: target, depth }, place, context.clock.now());
    const event = { type: collectionEvents.transferred, subjectId: id, organizationId: target };
    return { result: { id }, events: [{ ...event, payload: { from: source } }] };
  });
}
