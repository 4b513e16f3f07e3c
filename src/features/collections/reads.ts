// Reading collections: members that are no guests see all of their organization's, guests those granted to them.
import { canSeeCollection, inheritedLevel, viewerGrantedRole } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { OrganizationRow } from "#src/features/organizations/reads.ts";
import type { CollectionRoleParts } from "#src/features/collections/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

export type CollectionRow = Stored<CollectionModel> & CollectionRoleParts;

const collections = entity<CollectionRow, Viewer>({
  kind: "Collection",
  stored: Prisma.CollectionScalarFieldEnum,
  derived: { inheritedLevel: () => inheritedLevel, grantedRole: viewerGrantedRole("collection") },
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
