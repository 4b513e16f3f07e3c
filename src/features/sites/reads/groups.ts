// Reading section groups: seen with their site, in their order on it.
import { byPosition } from "#src/db/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSectionGroupModel } from "#src/generated/prisma/models.ts";

export type SiteSectionGroupRow = Stored<SiteSectionGroupModel>;

declare module "#src/db/entity.ts" {
  interface Rows {
    SiteSectionGroup: SiteSectionGroupRow;
  }
}

export const groups = entity<SiteSectionGroupRow, Viewer>({
  kind: "SiteSectionGroup",
  noun: "section group",
  stored: Prisma.SiteSectionGroupScalarFieldEnum,
  visible: canSeeWithSite,
});

/** The group of a section that the viewer sees: visible with it, also when a share key has opened the site. */
export const namedGroups = { ...groups, visible: () => sql`true` };

export const groupsOfSite: PageList<SiteSectionGroupRow, Viewer> = {
  entity: groups,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: byPosition,
};
