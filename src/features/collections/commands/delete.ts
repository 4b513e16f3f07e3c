// Deleting a collection: what is inside moves up to its place, and nobody's access to it changes.
import { found } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { change, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { collectionRoleColumns, deleteCollection as remove } from "#src/features/collections/access.ts";
import { deletedUnlessGone } from "#src/features/collections/commands/gone.ts";
import { findGap, findPositions, lockTrees } from "#src/features/collections/commands/place.ts";
import { findCollection } from "#src/features/collections/reads.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

/**
 * Deletes a collection. Needs `admin` there. Nothing inside is lost: it moves up to the collection's place, in its order. What has no default
 * level of its own takes the collection's, and its grants are copied to what stood directly inside (the higher role stays), so that nobody's
 * access changes. Spaces that come to the top and were visible with the collection become private.
 *
 * Answers false, and changes nothing, for a collection that is not there or that the viewer may not see.
 */
export async function deleteCollection(context: Context, id: string): Promise<{ deleted: boolean }> {
  const collection = await findCollection(context, id, want(collectionRoleColumns));
  if (!collection) return { deleted: false };
  const { organizationId } = collection;
  const deletion = change(context, remove, collection, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const current = found(await transaction.collection.findFirst({ where: { id, organizationId } }), "collection");
    await copyGrants(transaction, current);
    await moveUp(transaction, context, current);
    await transaction.collection.delete({ where: { id } });
    return { result: null, events: [{ type: "collection.deleted", subjectId: id, organizationId }] };
  });
  return deletedUnlessGone(deletion);
}

/** Ids of what stands directly inside a collection, in its order. Deleted spaces are among it: they keep their place. */
async function findChildren(transaction: Transaction, id: string): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>(
    sql`select id from (select id, position from "Collection" where "parentId" = ${id}
      union all select id, position from "Space" where "parentId" = ${id}) s order by position, id`,
  );
  return rows.map((row) => row.id);
}

/** Gives everything directly inside the grants of the collection; where a holder has one there already, the higher role stays. */
async function copyGrants(transaction: Transaction, { id, organizationId }: CollectionModel): Promise<void> {
  const grants = await transaction.grant.findMany({ where: { collectionId: id } });
  if (grants.length === 0) return;
  const children = await findChildren(transaction, id);
  const copies = children.flatMap((child) => grants.map((grant) => ({ id: newId("Grant"), child, grant: grant.id })));
  // Holders and items are compared by one column each: ids tell users from teams and collections from spaces.
  await transaction.$executeRaw(
    sql`merge into "Grant" g
      using (
        select n.id, c.id as "collectionId", s.id as "spaceId", o."userId", o."teamId", o.role, n.child, coalesce(o."userId", o."teamId") as holder
        from json_to_recordset(${JSON.stringify(copies)}::json) n(id text, child text, "grant" text)
        join "Grant" o on o.id = n."grant"
        left join "Collection" c on c.id = n.child
        left join "Space" s on s.id = n.child
      ) n
      on g."organizationId" = ${organizationId} and coalesce(g."collectionId", g."spaceId") = n.child and coalesce(g."userId", g."teamId") = n.holder
      when matched and g.role < n.role then update set role = n.role
      when not matched then insert (id, "organizationId", "userId", "teamId", "collectionId", "spaceId", role)
        values (n.id, ${organizationId}, n."userId", n."teamId", n."collectionId", n."spaceId", n.role)`,
  );
}

/** Puts everything directly inside into the collection's place, and takes the collection out of the ancestors of everything below it. */
async function moveUp(
  transaction: Transaction,
  { viewer, clock }: Context,
  collection: CollectionModel,
): Promise<void> {
  const { id, organizationId, parentId } = collection;
  const children = await findChildren(transaction, id);
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
