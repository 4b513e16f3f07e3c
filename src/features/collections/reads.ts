// Reading collections: members that are no guests see all of their organization's, guests those granted to them.
import { found, notFound } from "#src/base/errors.ts";
import { canSeeCollection, inheritedLevel, viewerGrantedRole } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, want, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { findOrganization, type OrganizationRow } from "#src/features/organizations/reads.ts";
import { collectionRoleColumns, type CollectionRoleParts, type Destination } from "#src/features/collections/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

export type CollectionRow = Stored<CollectionModel> & CollectionRoleParts;

const collections = entity<CollectionRow, Viewer>({
  kind: "Collection",
  stored: Prisma.CollectionScalarFieldEnum,
  derived: { inheritedLevel: () => inheritedLevel, grantedRole: viewerGrantedRole },
  visible: canSeeCollection,
});

const byPosition = { name: "position", key: sql`t."position"`, type: "text", direction: "asc" } as const;
/** Ids sort by the time of creation. */
const byAge = { name: "age", key: sql`t.id`, type: "text", direction: "asc" } as const;

const collectionsOfOrganization: PageList<CollectionRow, Viewer, { nested: boolean }> = {
  name: "Organization.collections",
  entity: collections,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: ({ nested }) => (nested ? byAge : byPosition),
  where: ({ nested }) => (nested ? null : sql`t."parentId" is null`),
};

const collectionsOfCollection: PageList<CollectionRow, Viewer, object> = {
  name: "Collection.collections",
  entity: collections,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: () => byPosition,
};

export function findCollection(context: Context, id: string, wanted: Wanted): Promise<CollectionRow | null> {
  return context.reader.row(collections, id, wanted);
}

/**
 * The place that a command names: a collection of the organization, or its top (`parentId` null).
 * Throws NOT_FOUND for an organization or collection that the viewer may not see, and for a collection of another organization.
 */
export async function findDestination(
  context: Context,
  { organizationId, parentId }: { organizationId: string; parentId: string | null },
): Promise<Destination> {
  found(await findOrganization(context, organizationId, want(["id"])), "organization");
  if (parentId === null) return { organizationId, parent: null };
  const parent = found(await findCollection(context, parentId, want(collectionRoleColumns)), "collection");
  if (parent.organizationId !== organizationId) throw notFound("collection");
  return { organizationId, parent };
}

export function pageCollectionsOfOrganization(
  context: Context,
  organization: OrganizationRow,
  { nested, ...page }: PageArguments & { nested: boolean },
  wanted: Wanted,
): Promise<Page<CollectionRow>> {
  return context.reader.page(collectionsOfOrganization, organization.id, { page, args: { nested }, wanted });
}

export function pageCollectionsOfCollection(
  context: Context,
  collection: CollectionRow,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<CollectionRow>> {
  return context.reader.page(collectionsOfCollection, collection.id, { page, args: {}, wanted });
}
