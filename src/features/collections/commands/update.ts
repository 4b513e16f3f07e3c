// Changing the title, the description and the default level of a collection.
import { itemRoleColumns } from "#src/access/content.ts";
import { notFound } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { change, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven } from "#src/domain/input.ts";
import { mayUpdateCollection } from "#src/features/collections/access.ts";
import { collectionEvents } from "#src/features/collections/events.ts";
import { collections } from "#src/features/collections/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export interface CollectionUpdate {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly defaultLevel?: Role | null | undefined;
}

/**
 * Changes the given fields. Needs `admin` there. Null empties the description, and leaves the default level to the
 * collection around it.
 *
 * Throws NOT_FOUND for a collection that the viewer may not see, INVALID_INPUT for a title or description that is too
 * long, and for a title of null.
 */
export async function updateCollection(context: Context, input: CollectionUpdate): Promise<{ id: string }> {
  const { id, description, defaultLevel } = input;
  const collection = await context.reader.found(collections, id, want(itemRoleColumns));
  const data = given({
    title: ifGiven("title", input.title, (text) => checkText("title", text, { max: 50 })),
    description: description && checkText("description", description, { max: 100 }),
    defaultLevel,
  });
  if (Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateCollection, collection);
    return { id };
  }
  const { organizationId } = collection;
  return change(context, mayUpdateCollection, collection, async (transaction) => {
    const { count } = await transaction.collection.updateMany({
      where: { id, organizationId },
      data: { ...data, updatedAt: context.clock.now() },
    });
    if (count === 0) throw notFound("collection");
    return { result: { id }, events: [{ type: collectionEvents.updated, subjectId: id, organizationId }] };
  });
}
