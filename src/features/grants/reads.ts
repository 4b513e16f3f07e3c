// Reading grants: seen by admins of the collection or space that they are on.
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, want, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { collectionRole, collectionRoleColumns } from "#src/features/collections/access.ts";
import { type CollectionRow, findCollection } from "#src/features/collections/reads.ts";
import { requireListGrants } from "#src/features/grants/access.ts";
import { spaceRole, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { findSpace, type SpaceRow } from "#src/features/spaces/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { GrantModel } from "#src/generated/prisma/models.ts";

export type GrantRow = Stored<GrantModel>;

/** What a grant is on: exactly one of the two. */
export interface GrantItem {
  readonly collectionId?: string | null | undefined;
  readonly spaceId?: string | null | undefined;
}

/** Its own rule only keeps to the viewer's organizations; `findGrant` and the lists below ask for the role on what the grant is on. */
const grants = entity<GrantRow, Viewer>({
  kind: "Grant",
  stored: Prisma.GrantScalarFieldEnum,
  visible: (viewer) => sql`t."organizationId" = any(${viewer.organizations}::text[])`,
});

const byAge = { name: "age", key: sql`t.id`, type: "text", direction: "asc" } as const;

const grantsOfCollection: PageList<GrantRow, Viewer, object> = {
  name: "Collection.grants",
  entity: grants,
  parent: sql`t."collectionId" = p.id`,
  visible: "with parent",
  order: () => byAge,
};

const grantsOfSpace: PageList<GrantRow, Viewer, object> = {
  ...grantsOfCollection,
  name: "Space.grants",
  parent: sql`t."spaceId" = p.id`,
};

/** A collection or space, and the viewer's role on it; null when the viewer may not see it. */
export async function findGrantItem(
  context: Context,
  { collectionId, spaceId }: GrantItem,
): Promise<{ organizationId: string; own: Role | null } | null> {
  const { viewer } = context;
  if (spaceId != null) {
    const space = await findSpace(context, spaceId, want(spaceRoleColumns));
    return space && { organizationId: space.organizationId, own: spaceRole(viewer, space) };
  }
  if (collectionId == null) return null;
  const collection = await findCollection(context, collectionId, want(collectionRoleColumns));
  return collection && { organizationId: collection.organizationId, own: collectionRole(viewer, collection) };
}

/** A grant by its id, for admins of what it is on; null for everybody else. */
export async function findGrant(context: Context, id: string, wanted: Wanted): Promise<GrantRow | null> {
  const grant = await context.reader.row(grants, id, want(["collectionId", "spaceId"]));
  const item = grant && (await findGrantItem(context, grant));
  return item && isAtLeast(item.own, "admin") ? context.reader.row(grants, id, wanted) : null;
}

/** A page of the grants on a collection, oldest first. FORBIDDEN for all but its admins. */
export async function pageGrantsOfCollection(
  context: Context,
  collection: CollectionRow,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<GrantRow>> {
  requireListGrants(collectionRole(context.viewer, collection));
  return context.reader.page(grantsOfCollection, collection.id, { page, args: {}, wanted });
}

/** A page of the grants on a space, oldest first. FORBIDDEN for all but its admins. */
export async function pageGrantsOfSpace(
  context: Context,
  space: SpaceRow,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<GrantRow>> {
  requireListGrants(spaceRole(context.viewer, space));
  return context.reader.page(grantsOfSpace, space.id, { page, args: {}, wanted });
}
