// Reads of collections: members see all of their organization, guests those granted to them.
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { byId, byName, byPosition, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import { notFound } from "#src/base/errors.ts";
import { canSeeCollection, itemRoleColumns, itemRoleParts, type ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { entity, type Stored, type Projection, project } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Destination } from "#src/features/collections/access.ts";
import type { CollectionModel } from "#src/generated/prisma/models.ts";

export type CollectionRow = Stored<CollectionModel> & ItemRoleParts;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Collection: CollectionRow;
  }
}

export const collections = entity<CollectionRow, Viewer>({
  kind: "Collection",
  derived: itemRoleParts("collection"),
  visible: canSeeCollection,
});

/** The sort orders of collections and spaces. Positions order only the children of one parent. */
export const contentOrders = {
  position: byPosition,
  title: byName("title"),
  createdAt: byTime("createdAt"),
  updatedAt: byTime("updatedAt"),
};

export interface ContentFilter extends Ordered<keyof typeof contentOrders> {
  readonly title?: string | null | undefined;
}

export interface PlacedContentFilter extends ContentFilter {
  /** False: only those at the top level. */
  readonly nested: boolean;
  readonly parentId?: string | null | undefined;
}

/** The default order in an organization: by age, or by position if only one parent is listed. */
export const orderOfPlaced = orderedBy(contentOrders, ({ nested, parentId }: PlacedContentFilter) =>
  nested && parentId == null ? byId() : byPosition,
);

export const isAtPlace = ({ title, nested, parentId }: PlacedContentFilter): Sql | null =>
  allOf(
    hasTitle(title),
    nested ? null : sql`t."parentId" is null`,
    whenGiven(parentId, (id) => sql`t."parentId" = ${id}`),
  );

export const hasTitle = (title: string | null | undefined): Sql | null =>
  whenGiven(title, (text) => containsText(sql`t."title"`, text));

export const collectionsOfOrganization: PageList<CollectionRow, Viewer, PlacedContentFilter> = {
  entity: collections,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderOfPlaced,
  where: isAtPlace,
};

export const collectionsOfCollection: PageList<CollectionRow, Viewer, ContentFilter> = {
  entity: collections,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(contentOrders, byPosition),
  where: ({ title }) => hasTitle(title),
};

/** The collections with these ids that the viewer may see, in the same order. Batched into one statement. */
export async function ancestorsOf(
  context: Context,
  ids: readonly string[],
  projection: Projection,
): Promise<CollectionRow[]> {
  const rows = await Promise.all(ids.map((id) => context.reader.row(collections, id, projection)));
  return rows.filter((row) => row !== null);
}

/** The destination that an input names. NOT_FOUND unless the viewer sees the parent and it is in the organization. */
export async function findDestination(
  context: Context,
  { organizationId, parentId }: { organizationId: string; parentId: string | null },
): Promise<Destination> {
  await context.reader.found(organizations, organizationId, project(["id"]));
  if (parentId === null) return { organizationId, parent: null };
  const parent = await context.reader.found(collections, parentId, project(itemRoleColumns));
  if (parent.organizationId !== organizationId) throw notFound("collection");
  return { organizationId, parent };
}
