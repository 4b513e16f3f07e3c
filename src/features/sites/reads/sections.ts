// Reading sections of sites: seen with their site, in their order on it.
import { byPosition } from "#src/db/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { type PublishedSite, publishedSite } from "#src/features/sites/reads/sites.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSectionModel } from "#src/generated/prisma/models.ts";

export interface SiteSectionRow extends Stored<SiteSectionModel> {
  publishedSite: PublishedSite;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    SiteSection: SiteSectionRow;
  }
}

export const sections = entity<SiteSectionRow, Viewer>({
  kind: "SiteSection",
  noun: "section",
  stored: Prisma.SiteSectionScalarFieldEnum,
  derived: { publishedSite: () => publishedSite },
  visible: canSeeWithSite,
});

/** The section of a site space that the viewer sees: visible with it, also when a share key has opened the site. */
export const namedSections = { ...sections, visible: () => sql`true` };

export const sectionsOfSite: PageList<SiteSectionRow, Viewer> = {
  entity: sections,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: byPosition,
};

export const sectionsOfGroup: PageList<SiteSectionRow, Viewer> = {
  ...sectionsOfSite,
  parent: sql`t."sectionGroupId" = p.id`,
};
