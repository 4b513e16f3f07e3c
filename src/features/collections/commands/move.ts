// The commands that move a collection with its content within its organization, and transfer it to another one.
import { andBelow, itemRoleColumns } from "#src/access/content.ts";
import { found, invalidInput } from "#src/base/errors.ts";
import { sql, type Sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Hook } from "#src/domain/hooks.ts";
import { mayMoveCollection, mayTransferCollection } from "#src/features/collections/access.ts";
import { findGuests } from "#src/features/collections/commands/collection.ts";
import {
  type Anchor,
  belowCollection,
  findPlace,
  isLast,
  lockTrees,
  type Place,
  type PlaceInput,
  readAnchor,
} from "#src/features/collections/commands/place.ts";
import { collectionDepartureEvents, collectionEvents } from "#src/features/collections/events.ts";
import { collections, findDestination } from "#src/features/collections/reads.ts";

export interface ContentMove {
  readonly id: string;
  readonly place?: PlaceInput | null | undefined;
  /** Undefined keeps the current parent, null is the top level of the organization. */
  readonly parentId?: string | null | undefined;
}

/** Moves a collection, by default to the end of its parent. INVALID_INPUT at `parentId` if that is inside it. */
export async function moveCollection(context: Context, input: ContentMove): Promise<{ id: string }> {
  const { id, parentId } = input;
  const anchor = readAnchor(input.place);
  const columns = project([...itemRoleColumns, "parentId"]);
  const collection = await context.reader.found(collections, id, columns);
  const { organizationId } = collection;
  // Checked first, so that errors reveal nothing about the parent.
  await requireAllowed(context, mayMoveCollection, { item: collection, to: null });
  const stays = parentId === undefined || parentId === collection.parentId;
  const to = stays ? null : await findDestination(context, { organizationId, parentId });
  return changeIfAny(context, mayMoveCollection, { item: collection, to }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const payload = await placeCollection(transaction, context, { id, organizationId, parentId, anchor });
    const moved = payload && { type: collectionEvents.moved, subjectId: id, organizationId, payload };
    return { result: { id }, events: moved ? [moved] : [] };
  });
}

/** Moves a collection; returns its old and new parent, or null if it is already in position. */
async function placeCollection(
  transaction: Transaction,
  context: Context,
  of: { id: string; organizationId: string; parentId: string | null | undefined; anchor: Anchor | undefined },
): Promise<{ fromParentId: string | null; toParentId: string | null } | null> {
  const { id, organizationId, anchor } = of;
  const current = found(await transaction.collection.findFirst({ where: { id, organizationId } }), "collection");
  const parentId = of.parentId === undefined ? current.parentId : of.parentId;
  const siblings = { organizationId, parentId, without: id };
  if (parentId === id) throw invalidInput("parentId", "must not be the collection itself.");
  const place = await findPlace(transaction, context.viewer, siblings, anchor);
  if (place.ancestors.includes(id)) throw invalidInput("parentId", "must not be inside the collection itself.");
  if (!anchor && isLast(current, place)) return null;
  const subtree = { id, from: organizationId, organizationId, depth: current.ancestors.length };
  await placeSubtree(transaction, subtree, place, context.clock.now());
  return { fromParentId: current.parentId, toParentId: parentId };
}

/** One statement: foreign keys with the organization are checked at its end. `from` is the current organization. */
async function placeSubtree(
  transaction: Transaction,
  { id, from, organizationId, depth }: { id: string; from: string; organizationId: string; depth: number },
  { parentId, ancestors, position }: Place,
  now: Date,
): Promise<void> {
  const around = sql`${ancestors}::text[]`;
  const isBelow = await belowCollection(transaction, { id, organizationId: from });
  const set = sql`set ancestors = ${around} || ancestors[${depth + 1}::int:], "organizationId" = ${organizationId}`;
  await transaction.$executeRaw(
    sql`with root as (update "Collection" set "parentId" = ${parentId}, ancestors = ${around}, position = ${position},
          "organizationId" = ${organizationId}, "updatedAt" = ${now} where id = ${id}),
        spaces as (update "Space" ${set} where ancestors @> array[${id}])
      update "Collection" ${set} where ${isBelow}`,
  );
}

/** Transfers a collection to another organization. Grants to teams and to users outside the target are revoked. */
export async function transferCollection(
  context: Context,
  { id, organizationId: target }: { id: string; organizationId: string },
): Promise<{ id: string }> {
  const collection = await context.reader.found(collections, id, project(itemRoleColumns));
  const { organizationId: source } = collection;
  // Checked first, so that errors reveal nothing about the target.
  await requireAllowed(context, mayTransferCollection, { item: collection, to: null });
  if (source === target) return { id };
  const to = await findDestination(context, { organizationId: target, parentId: null });
  return change(context, mayTransferCollection, { item: collection, to }, async (transaction) => {
    await lockTrees(transaction, source, target);
    const current = found(
      await transaction.collection.findFirst({ where: { id, organizationId: source } }),
      "collection",
    );
    const guestIds = await findGuests(transaction, "collection", id);
    await leaveOrganization(transaction, {
      from: source,
      to: target,
      collections: andBelow(sql`select ${id}::text`),
      spaces: sql`select s.id from "Space" s where s.ancestors @> array[${id}]`,
    });
    const place = await findPlace(transaction, context.viewer, { organizationId: target, parentId: null });
    const depth = current.ancestors.length;
    await placeSubtree(transaction, { id, from: source, organizationId: target, depth }, place, context.clock.now());
    const payload = { fromParentId: current.parentId, toParentId: null, fromOrganizationId: source };
    const came = { type: collectionEvents.transferred, subjectId: id, organizationId: target, payload };
    const facts = { title: current.title, wasForMembers: true, guestIds };
    const left = { type: collectionDepartureEvents.left, subjectId: id, organizationId: source, payload: facts };
    return { result: { id }, events: [came, left] };
  });
}

/** Content to be transferred from one organization to another. `collections` and `spaces` are queries of ids. */
interface Leaving {
  readonly from: string;
  readonly to: string;
  readonly collections: Sql;
  readonly spaces: Sql;
}

export const beforeContentTransfer = new Hook<Leaving>("content leaves its organization");

/** Removes references to content within its organization: the default space, and those of other features. */
export async function leaveOrganization(transaction: Transaction, leaving: Leaving): Promise<void> {
  const { from, spaces } = leaving;
  await transaction.$executeRaw(
    sql`update "Organization" o set "defaultSpaceId" = null where o.id = ${from} and o."defaultSpaceId" in (${spaces})`,
  );
  await beforeContentTransfer.run(transaction, leaving);
}
