// Reading grants: seen by admins of the collection or space that they are on.
import { itemRole, itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { byId } from "#src/db/orders.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, want, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { collections } from "#src/features/collections/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { mayListGrants } from "#src/features/grants/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { GrantModel } from "#src/generated/prisma/models.ts";

export type GrantRow = Stored<GrantModel>;

/** What a grant is on: exactly one of the two. */
export interface GrantItem {
  readonly collectionId?: string | null | undefined;
  readonly spaceId?: string | null | undefined;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    Grant: GrantRow;
  }
}

/** Its own rule keeps to the viewer's organizations; `findGrant` and the lists ask for the role on what it is on. */
const grants = entity<GrantRow, Viewer>({
  kind: "Grant",
  visible: (viewer) => sql`t."organizationId" = any(${viewer.organizations}::text[])`,
});

export const grantsOfCollection: PageList<GrantRow, Viewer, object, ItemRoleParts & { id: string }> = {
  entity: grants,
  parent: sql`t."collectionId" = p.id`,
  guard: mayListGrants,
  visible: "with parent",
  order: byId(),
};

export const grantsOfSpace: PageList<GrantRow, Viewer, object, ItemRoleParts & { id: string }> = {
  entity: grants,
  parent: sql`t."spaceId" = p.id`,
  guard: mayListGrants,
  visible: "with parent",
  order: byId(),
};

/** A collection or space, and the viewer's role on it; null when the viewer may not see it. */
export async function findGrantItem(
  context: Context,
  { collectionId, spaceId }: GrantItem,
): Promise<{ organizationId: string; own: Role | null } | null> {
  const { viewer } = context;
  if (spaceId != null) {
    const space = await context.reader.row(spaces, spaceId, want(itemRoleColumns));
    return space && { organizationId: space.organizationId, own: itemRole(viewer, space) };
  }
  if (collectionId == null) return null;
  const collection = await context.reader.row(collections, collectionId, want(itemRoleColumns));
  return collection && { organizationId: collection.organizationId, own: itemRole(viewer, collection) };
}

/** A grant by its id, for admins of what it is on; null for everybody else. */
export async function findGrant(context: Context, id: string, wanted: Wanted): Promise<GrantRow | null> {
  const grant = await context.reader.row(grants, id, want(["collectionId", "spaceId"]));
  const item = grant && (await findGrantItem(context, grant));
  return item && isAtLeast(item.own, "admin") ? context.reader.row(grants, id, wanted) : null;
}
