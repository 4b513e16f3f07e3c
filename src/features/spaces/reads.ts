// Reading spaces: members that are not guests see those of their organization that are not closed to them, guests those
// granted to them, anyone the open ones.
import { canSeeSpace, isAccessible, itemRoleParts, type ItemRoleParts, spaceRoleOf } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { type Entity, entity, type Stored } from "#src/db/entity.ts";
import { byId, byPosition } from "#src/db/orders.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

export interface SpaceRow extends Stored<SpaceModel>, ItemRoleParts {
  /** Whether the viewer has a role on it, so sees its change requests and comments; false when only open to anyone. */
  isAccessible: boolean;
  /** The key of its link where it is a share-link space and the request came with that key; null otherwise. */
  givenKey: string | null;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    Space: SpaceRow;
  }
}

export const spaces = entity<SpaceRow, Viewer>({
  kind: "Space",
  derived: {
    ...itemRoleParts("space"),
    isAccessible,
    givenKey: ({ shareKey }) =>
      shareKey === null
        ? sql`null::text`
        : sql`case when t."visibility" = 'share_link' and t."shareKey" = ${shareKey} then t."shareKey" end`,
  },
  visible: canSeeSpace,
});

/** Deleted spaces, which only their admins see, to restore them. */
export const deletedSpaces: Entity<SpaceRow, Viewer> = {
  ...spaces,
  visible: (viewer) => {
    const memberRole = sql`(select m.role from "OrganizationMember" m
      where m."organizationId" = t."organizationId" and m."userId" = ${viewer.userId})`;
    return sql`t."deletedAt" is not null and t."organizationId" = any(${viewer.organizations}::text[])
      and ${spaceRoleOf(sql`${viewer.userId}`, memberRole)} = 'admin'`;
  },
};

export const spacesOfOrganization: PageList<SpaceRow, Viewer> = {
  entity: spaces,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byId(),
};

export const spacesOfCollection: PageList<SpaceRow, Viewer> = {
  entity: spaces,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: byPosition,
};
