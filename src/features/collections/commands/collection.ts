// The commands that create, change and delete collections.
import { guestIdsOf, itemRoleColumns, takesFromAround } from "#src/access/content.ts";
import { found } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { Hook } from "#src/domain/hooks.ts";
import { mayCreateCollection, mayDeleteCollection, mayUpdateCollection } from "#src/features/collections/access.ts";
import {
  belowCollection,
  findGap,
  findPlace,
  findPositions,
  lockTrees,
} from "#src/features/collections/commands/place.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { collectionEvents } from "#src/features/collections/events.ts";
import { collections, findDestination } from "#src/features/collections/reads.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

export const collectionTexts = { title: { max: 50 }, description: { max: 100 } };

/** Requires `create` at the destination. INVALID_INPUT if the title is too long. */
export async function createCollection(
  context: Context,
  input: { organizationId: string; title?: string | null | undefined; parentId?: string | null | undefined },
): Promise<{ id: string }> {
  const { organizationId } = input;
  const title = ifGiven("title", input.title, (text) => checkText("title", text, collectionTexts.title)) ?? "Untitled";
  const parentId = ifGiven("parentId", input.parentId, (id) => id) ?? null;
  const destination = await findDestination(context, { organizationId, parentId });
  const id = newId("Collection");
  return change(context, mayCreateCollection, destination, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const place = await findPlace(transaction, context.viewer, { organizationId, parentId });
    const now = context.clock.now();
    await transaction.collection.create({
      data: { id, organizationId, title, ...place, createdAt: now, updatedAt: now },
    });
    const event = { type: collectionEvents.created, subjectId: id, organizationId, payload: { title, parentId } };
    return { result: { id }, events: [event] };
  });
}

interface CollectionUpdate extends Optional<Pick<CollectionModel, "title" | "description" | "defaultLevel">> {
  readonly id: string;
}

/** Changes the given fields; null clears the description and makes the default level inherited. Requires `admin`. */
export async function updateCollection(context: Context, input: CollectionUpdate): Promise<{ id: string }> {
  const { id, description, defaultLevel } = input;
  const collection = await context.reader.found(collections, id, project(itemRoleColumns));
  const data = given({
    title: ifGiven("title", input.title, (text) => checkText("title", text, collectionTexts.title)),
    description: description && checkText("description", description, collectionTexts.description),
    defaultLevel,
  });
  if (Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateCollection, collection);
    return { id };
  }
  const { organizationId } = collection;
  return changeIfAny(context, mayUpdateCollection, collection, async (transaction) => {
    const [before] = await transaction.$queryRaw<Settings[]>(
      sql`select title, description, "defaultLevel" from "Collection"
        where id = ${id} and "organizationId" = ${organizationId} for update`,
    );
    const changes = settingChanges<Settings>(found(before ?? null, "collection"), data, auditedColumns);
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.collection.update({ where: { id }, data: { ...data, updatedAt: context.clock.now() } });
    const event = { type: collectionEvents.updated, subjectId: id, organizationId, payload: { changes } };
    return { result: { id }, events: [event] };
  });
}

type Settings = Pick<CollectionModel, "title" | "description" | "defaultLevel">;

const auditedColumns = {
  title: "title",
  description: "description",
  defaultLevel: ["defaultLevel", enumValue],
} as const;

/** Runs before a collection is deleted. `heirs` take over its roles: all direct children except private spaces. */
export const beforeCollectionDeletion = new Hook<{
  readonly id: string;
  readonly organizationId: string;
  readonly heirs: readonly string[];
}>("collection is deleted");

/**
 * Deletes a collection. Its children move up to its position in their order, and access stays the same: each child gets
 * the default level if it has none, and a copy of the grants (the higher role wins); private spaces get neither. Spaces
 * that reach the top level and were visible with the collection become private, open to members.
 */
export async function deleteCollection(
  context: Context,
  id: string,
): Promise<Deleted & { organizationId: string | null; parentId: string | null }> {
  const collection = await context.reader.row(collections, id, project([...itemRoleColumns, "parentId"]));
  if (!collection) return { deletedId: null, organizationId: null, parentId: null };
  const { organizationId, parentId } = collection;
  return answersWith(context, { organizationId, parentId }, () =>
    deleteIfThere(context, mayDeleteCollection, collection, async (transaction) => {
      await lockTrees(transaction, organizationId);
      const current = await transaction.collection.findFirst({ where: { id, organizationId } });
      if (!current) return null;
      const children = await findChildren(transaction, id);
      const guestIds = await findGuests(transaction, "collection", id);
      const heirs = children.flatMap((child) => (child.isHeir ? child.id : []));
      await beforeCollectionDeletion.run(transaction, { id, organizationId, heirs });
      await moveUp(transaction, context, { ...current, children });
      await transaction.collection.delete({ where: { id } });
      const { title, parentId } = current;
      return { type: collectionEvents.deleted, subjectId: id, organizationId, payload: { title, parentId, guestIds } };
    }),
  );
}

type Child = { readonly id: string; readonly isHeir: boolean };

/** The direct children of a collection, in order. Includes deleted spaces, which keep their position. */
function findChildren(transaction: Transaction, id: string): Promise<Child[]> {
  const inside = (target: "collection" | "space", table: Sql) =>
    sql`select t.id, t.position, ${takesFromAround[target]} as "isHeir" from ${table} t where t."parentId" = ${id}`;
  return transaction.$queryRaw<Child[]>(
    sql`select id, "isHeir" from (${inside("collection", sql`"Collection"`)}
      union all ${inside("space", sql`"Space"`)}) s order by position, id`,
  );
}

/** Moves the children to the collection's position, and removes it from the ancestors of all descendants. */
async function moveUp(
  transaction: Transaction,
  { viewer, clock }: Context,
  collection: CollectionModel & { readonly children: readonly Child[] },
): Promise<void> {
  const { id, organizationId, parentId, children } = collection;
  const siblings = { organizationId, parentId };
  const behind = { side: "after", kind: "Collection", id, path: "collectionId" } as const;
  const gap = () => findGap(transaction, viewer, siblings, behind);
  const positions = await findPositions(transaction, siblings, children.length, gap);
  const positionOf = JSON.stringify(Object.fromEntries(children.map((child, index) => [child.id, positions[index]])));
  const isChild = sql`"parentId" = ${id}`;
  const level = sql`${collection.defaultLevel}::"Role"`;
  const raised = (target: "collection" | "space") =>
    sql`ancestors = array_remove(ancestors, ${id}), position = coalesce(${positionOf}::jsonb ->> id, position),
    "parentId" = case when ${isChild} then ${parentId} else "parentId" end,
    "defaultLevel" = case when ${isChild} and ${takesFromAround[target]} then coalesce("defaultLevel", ${level}) else "defaultLevel" end,
    "updatedAt" = case when ${isChild} then ${clock.now()} else "updatedAt" end`;
  const isBelow = await belowCollection(transaction, collection);
  const losesCollection = sql`${isChild} and ${parentId}::text is null and visibility = 'in_collection'`;
  await transaction.$executeRaw(
    sql`with collections as (update "Collection" set ${raised("collection")}
        where ${isBelow})
      update "Space" t set ${raised("space")},
        visibility = case when ${losesCollection} then 'private' else visibility end,
        "openToMembers" = case when ${losesCollection} then true else "openToMembers" end
      where ancestors @> array[${id}]`,
  );
}

const rows: Record<"collection" | "space", Sql> = { collection: sql`"Collection"`, space: sql`"Space"` };

/** Ids of the guests with a grant on it, at most 1,000: `guestIds` in the payload of the event. */
export async function findGuests(
  transaction: Transaction,
  target: "collection" | "space",
  id: string,
): Promise<readonly string[]> {
  const [found] = await transaction.$queryRaw<{ guestIds: string[] }[]>(
    sql`select ${guestIdsOf(target)} as "guestIds" from ${rows[target]} t where t.id = ${id}`,
  );
  return found?.guestIds ?? [];
}
