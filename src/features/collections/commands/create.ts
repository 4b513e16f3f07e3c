// Creating collections.
import { newId } from "#src/base/ids.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, ifGiven } from "#src/domain/input.ts";
import { mayCreateCollection } from "#src/features/collections/access.ts";
import { findPlace, lockTrees } from "#src/features/collections/commands/place.ts";
import { collectionEvents } from "#src/features/collections/events.ts";
import { findDestination } from "#src/features/collections/reads.ts";

/**
 * Makes a collection behind everything else in its place. Needs `create` there.
 *
 * Throws NOT_FOUND for an organization or parent that the viewer may not see, INVALID_INPUT for a title of more than 50
 * characters.
 */
export async function createCollection(
  context: Context,
  input: { organizationId: string; title?: string | null | undefined; parentId?: string | null | undefined },
): Promise<{ id: string }> {
  const { organizationId } = input;
  const title = ifGiven("title", input.title, (text) => checkText("title", text, { max: 50 })) ?? "Untitled";
  const parentId = ifGiven("parent", input.parentId, (id) => id) ?? null;
  const destination = await findDestination(context, { organizationId, parentId });
  const id = newId("Collection");
  return change(context, mayCreateCollection, destination, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const place = await findPlace(transaction, context.viewer, { organizationId, parentId });
    const now = context.clock.now();
    await transaction.collection.create({
      data: { id, organizationId, title, ...place, createdAt: now, updatedAt: now },
    });
    return { result: { id }, events: [{ type: collectionEvents.created, subjectId: id, organizationId }] };
  });
}
