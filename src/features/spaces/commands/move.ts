// Commands that move spaces within their organization, and to another one.
import { itemRoleColumns } from "#src/access/content.ts";
import { found } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { findGuests } from "#src/features/collections/commands/collection.ts";
import { type ContentMove, leaveOrganization } from "#src/features/collections/commands/move.ts";
import { findPlace, isLast, lockTrees, type Place, readAnchor } from "#src/features/collections/commands/place.ts";
import { findDestination } from "#src/features/collections/reads.ts";
import { mayMoveSpace, mayTransferSpace } from "#src/features/spaces/access.ts";
import { isForMembers, keepVisible } from "#src/features/spaces/commands/audience.ts";
import { spaceDepartureEvents, spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

/** Moves a space, by default to the end of its parent. At the top level its audience changes: {@link keepVisible}. */
export async function moveSpace(context: Context, input: ContentMove): Promise<{ id: string }> {
  const { id } = input;
  const anchor = readAnchor(input.place);
  const space = await context.reader.found(spaces, id, project([...itemRoleColumns, "parentId"]));
  const { organizationId } = space;
  // Checked before errors can reveal anything about the parent.
  await requireAllowed(context, mayMoveSpace, { item: space, to: null });
  const stays = input.parentId === undefined || input.parentId === space.parentId;
  const to = stays ? null : await findDestination(context, { organizationId, parentId: input.parentId });
  return changeIfAny(context, mayMoveSpace, { item: space, to }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const current = await findPresent(transaction, id, organizationId);
    const parentId = input.parentId === undefined ? current.parentId : input.parentId;
    const siblings = { organizationId, parentId, without: id };
    const place = await findPlace(transaction, context.viewer, siblings, anchor);
    if (!anchor && isLast(current, place)) return { result: { id }, events: [] };
    await put(transaction, context, current, place);
    const event = { type: spaceEvents.moved, subjectId: id, organizationId, spaceId: id };
    return {
      result: { id },
      events: [{ ...event, payload: { fromParentId: current.parentId, toParentId: parentId } }],
    };
  });
}

/** Transfers a space to another organization. Revokes grants of teams, and of people who are not in it. */
export async function transferSpace(
  context: Context,
  { id, organizationId: target }: { id: string; organizationId: string },
): Promise<{ id: string }> {
  const space = await context.reader.found(spaces, id, project(itemRoleColumns));
  const { organizationId: source } = space;
  // Checked before errors can reveal anything about the target.
  await requireAllowed(context, mayTransferSpace, { item: space, to: null });
  if (source === target) return { id };
  const to = await findDestination(context, { organizationId: target, parentId: null });
  return change(context, mayTransferSpace, { item: space, to }, async (transaction) => {
    await lockTrees(transaction, source, target);
    const current = await findPresent(transaction, id, source);
    const [collections, spaces] = [sql`select ''`, sql`select ${id}::text`];
    const guestIds = await findGuests(transaction, "space", id);
    await leaveOrganization(transaction, { from: source, to: target, collections, spaces });
    const place = await findPlace(transaction, context.viewer, { organizationId: target, parentId: null });
    await put(transaction, context, { ...current, organizationId: target }, place);
    const payload = { fromParentId: current.parentId, toParentId: null, fromOrganizationId: source };
    const came = { type: spaceEvents.transferred, subjectId: id, organizationId: target, spaceId: id, payload };
    const facts = { title: current.title, wasForMembers: isForMembers(current), guestIds };
    const left = { type: spaceDepartureEvents.left, subjectId: id, organizationId: source, payload: facts };
    return { result: { id }, events: [came, left] };
  });
}

/** The space in its current state. NOT_FOUND if it was deleted or transferred meanwhile. */
async function findPresent(transaction: Transaction, id: string, organizationId: string): Promise<SpaceModel> {
  return found(await transaction.space.findFirst({ where: { id, organizationId, deletedAt: null } }), "space");
}

/** Writes the new position of a space, with its organization. */
async function put(
  transaction: Transaction,
  { clock }: Context,
  { id, organizationId, ...audience }: SpaceModel,
  place: Place,
): Promise<void> {
  const visible = keepVisible(audience, place.parentId);
  await transaction.space.update({
    where: { id },
    data: { ...place, organizationId, ...visible, updatedAt: clock.now() },
  });
}
