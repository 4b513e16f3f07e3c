// Makes collections for tests, and says where an item stands in the tree.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, nextPosition, type Rows } from "#test/support/rows.ts";

/** A collection as the place of another item: what {@link addCollection} returned. */
export interface Place {
  readonly id: string;
  readonly ancestors: string[];
}

/**
 * The columns that say where an item stands: in `parent`, or at the top of the organization; after all that is there.
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
