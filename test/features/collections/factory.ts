// Creates collections for tests, and computes the position of an item in the tree.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, nextPosition, type Rows } from "#test/support/rows.ts";

/** A collection as the parent of another item: the result of {@link addCollection}. */
export interface Place {
  readonly id: string;
  readonly ancestors: string[];
}

/**
 * The columns of an item's position: last in `parent`, or last at the top of the organization.
 */
export function placeIn(organizationId: string, parent: Place | undefined) {
  return {
    parentId: parent?.id ?? null,
    ancestors: parent ? [...parent.ancestors, parent.id] : [],
    position: nextPosition(parent?.id ?? organizationId),
  };
}

/** A collection at the top of the organization, or in the collection `parent`. Its default level is null. */
export function addCollection(
  rows: Rows,
  { parent, ...given }: { organizationId: string; parent?: Place } & Partial<Prisma.CollectionCreateManyInput>,
) {
  const createdAt = nextInstant();
  return rows.add("Collection", {
    id: newId("Collection"),
    title: `Collection ${nextNumber()}`,
    createdAt,
    updatedAt: createdAt,
    ...given,
    ...placeIn(given.organizationId, parent),
  });
}
