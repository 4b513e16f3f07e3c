// Reading collections: members that are not guests see all of their organization's, guests those granted to them.
import { byPosition, byId } from "#src/db/orders.ts";
import { notFound } from "#src/base/errors.ts";
import { canSeeCollection, itemRoleColumns, itemRoleParts, type ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, want } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Destination } from "#src/features/collections/access.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

export type CollectionRow = Stored<CollectionModel> & ItemRoleParts;

declare module "#src/db/entity.ts" {
  interface Rows {
    Collection: CollectionRow;
  }
}

export const collections = entity<CollectionRow, Viewer>({
  kind: "Collection",
  derived: itemRoleParts("collection"),
  visible: canSeeCollection,
});

export const collectionsOfOrganization: PageList<CollectionRow, Viewer, { nested: boolean }> = {
  entity: collections,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: ({ nested }) => (nested ? byId() : byPosition),
  where: ({ nested }) => (nested ? null : sql`t."parentId" is null`),
};

export const collectionsOfCollection: PageList<CollectionRow, Viewer> = {
  entity: collections,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: byPosition,
};

/**
 * The place that a command names: a collection of the organization, or its top (`parentId` null). Throws NOT_FOUND for
 * an organization or collection that the viewer may not see, and for a collection of another organization.
 */
export async function findDestination(
  context: Context,
  { organizationId, parentId }: { organizationId: string; parentId: string | null },
): Promise<Destination> {
  await context.reader.found(organizations, organizationId, want(["id"]));
  if (parentId === null) return { organizationId, parent: null };
  const parent = await context.reader.found(collections, parentId, want(itemRoleColumns));
  if (parent.organizationId !== organizationId) throw notFound("collection");
  return { organizationId, parent };
}
