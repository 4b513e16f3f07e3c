// Deleting a collection: what is inside moves up to its place, and nobody's access to it changes.
import { itemRoleColumns } from "#src/access/content.ts";
import { sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { deleteIfThere, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Moment } from "#src/domain/moments.ts";
import { mayDeleteCollection } from "#src/features/collections/access.ts";
import { findGap, findPositions, lockTrees } from "#src/features/collections/commands/place.ts";
import { collectionEvents } from "#src/features/collections/events.ts";
import { collections } from "#src/features/collections/reads.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

/** A collection is about to be deleted. `children` are the ids of the collections and spaces directly inside it. */
export const collectionGoes = new Moment<{
  readonly id: string;
  readonly organizationId: string;
  readonly children: readonly string[];
}>("collection is deleted");

/**
 * Deletes a collection. Needs `admin` there. Nothing inside is lost: it moves up to the collection's place, in its
 * order. What has no default level of its own takes the collection's, and its grants are copied to what stood directly
 * inside (the higher role stays), so that nobody's access changes. Spaces that come to the top and were visible with
 * the collection become private.
 *
 * Answers false, and changes nothing, for a collection that is not there or that the viewer may not see.
 */
export async function deleteCollection(context: Context, id: string): Promise<{ deleted: boolean }> {
  const collection = await context.reader.row(collections, id, want(itemRoleColumns));
  if (!collection) return { deleted: false };
  const { organizationId } = collection;
  return deleteIfThere(context, mayDeleteCollection, collection, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const current = await transaction.collection.findFirst({ where: { id, organizationId } });
    if (!current) return null;
    const children = await findChildren(transaction, id);
    await collectionGoes.come(transaction, { id, organizationId, children });
    await moveUp(transaction, context, { ...current, children });
    await transaction.collection.delete({ where: { id } });
    return { type: collectionEvents.deleted, subjectId: id, organizationId };
  });
}

/**
 * Ids of the items directly inside a collection, in its order. Deleted spaces are among them: they keep their place.
 */
async function findChildren(transaction: Transaction, id: string): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>(
    sql`select id from (select id, position from "Collection" where "parentId" = ${id}
      union all select id, position from "Space" where "parentId" = ${id}) s order by position, id`,
  );
  return rows.map((row) => row.id);
}

/**
 * Puts everything directly inside into the collection's place, and takes the collection out of the ancestors of
 * everything below it.
 */
async function moveUp(
  transaction: Transaction,
  { viewer, clock }: Context,
  collection: CollectionModel & { readonly children: readonly string[] },
): Promise<void> {
  const { id, organizationId, parentId, children } = collection;
  const siblings = { organizationId, parentId };
  const behind = { side: "after", kind: "Collection", id } as const;
  const gap = () => findGap(transaction, viewer, siblings, behind);
  const positions = await findPositions(transaction, siblings, children.length, gap);
  const positionOf = JSON.stringify(Object.fromEntries(children.map((child, index) => [child, positions[index]])));
  const isChild = sql`"parentId" = ${id}`;
  const raised = sql`ancestors = array_remove(ancestors, ${id}), position = coalesce(${positionOf}::jsonb ->> id, position),
    "parentId" = case when ${isChild} then ${parentId} else "parentId" end,
    "defaultLevel" = case when ${isChild} then coalesce("defaultLevel", ${collection.defaultLevel}::"Role") else "defaultLevel" end,
    "updatedAt" = case when ${isChild} then ${clock.now()} else "updatedAt" end`;
  await transaction.$executeRaw(
    sql`with collections as (update "Collection" set ${raised} where ancestors @> array[${id}])
      update "Space" set ${raised},
        visibility = case when ${isChild} and ${parentId}::text is null and visibility = 'in_collection' then 'private' else visibility end
      where ancestors @> array[${id}]`,
  );
}
