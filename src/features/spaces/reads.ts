// Reading spaces: members that are no guests see all of their organization's, guests those granted to them, anyone the open ones.
import { canSeeSpace, inheritedLevel, isAccessible, roleOf, viewerGrantedRole } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { type Entity, entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { type Page, type PageArguments, Reader } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { SpaceRoleParts } from "#src/features/spaces/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

export interface SpaceRow extends Stored<SpaceModel>, SpaceRoleParts {
  /** Whether the viewer has a role on it, and so sees its change requests and comments; false when it is only open to anyone. */
  isAccessible: boolean;
  commentCount: number;
  /** Change requests: all, open, draft. Counted in one scan. */
  changeRequestCounts: readonly [all: number, open: number, draft: number];
}

const spaces = entity<SpaceRow, Viewer>({
  kind: "Space",
  stored: Prisma.SpaceScalarFieldEnum,
  derived: {
    isAccessible,
    inheritedLevel: () => inheritedLevel,
    grantedRole: viewerGrantedRole,
    // Counts are 0 for those who have no role on the space.
    commentCount: (viewer) => sql`case when ${isAccessible(viewer)} then (select count(*)::int from "Comment" cm
      where cm."spaceId" = t.id and cm."changeRequestId" is null and cm.status = 'open') else 0 end`,
    changeRequestCounts: (viewer) => sql`case when ${isAccessible(viewer)} then (select array[count(*),
      count(*) filter (where cr.status = 'open'), count(*) filter (where cr.status = 'draft')]::int[]
      from "ChangeRequest" cr where cr."spaceId" = t.id) else '{0,0,0}' end`,
  },
  visible: canSeeSpace,
});

/** Deleted spaces, which only their admins see, to restore them. */
const deletedSpaces: Entity<SpaceRow, Viewer> = {
  ...spaces,
  name: "deleted",
  visible: (viewer) => {
    const memberRole = sql`(select m.role from "OrganizationMember" m
      where m."organizationId" = t."organizationId" and m."userId" = ${viewer.userId})`;
    return sql`t."deletedAt" is not null and t."organizationId" = any(${viewer.organizations}::text[])
      and ${roleOf("space", sql`${viewer.userId}`, memberRole)} = 'admin'`;
  },
};

/** Ids sort by the time of creation. */
const byAge = { name: "age", key: sql`t.id`, type: "text", direction: "asc" } as const;

const spacesOfOrganization: PageList<SpaceRow, Viewer, object> = {
  name: "Organization.spaces",
  entity: spaces,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: () => byAge,
};

const spacesOfCollection: PageList<SpaceRow, Viewer, object> = {
  name: "Collection.spaces",
  entity: spaces,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: () => ({ name: "position", key: sql`t."position"`, type: "text", direction: "asc" }),
};

/** A space by its id. `shareKey` opens a share-link space to anyone who has it. */
export function findSpace(
  context: Context,
  id: string,
  wanted: Wanted,
  shareKey: string | null = null,
): Promise<SpaceRow | null> {
  const reader = shareKey === null ? context.reader : new Reader(context.database, { ...context.viewer, shareKey });
  return reader.row(spaces, id, wanted);
}

/** A space that is deleted and not yet removed, for its admins; null for everybody else. */
export function findDeletedSpace(context: Context, id: string, wanted: Wanted): Promise<SpaceRow | null> {
  return context.reader.row(deletedSpaces, id, wanted);
}

export function pageSpacesOfOrganization(
  context: Context,
  organization: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SpaceRow>> {
  return context.reader.page(spacesOfOrganization, organization.id, { page, args: {}, wanted });
}

export function pageSpacesOfCollection(
  context: Context,
  collection: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SpaceRow>> {
  return context.reader.page(spacesOfCollection, collection.id, { page, args: {}, wanted });
}
