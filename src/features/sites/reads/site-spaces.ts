// Reading site spaces, the spaces as they are placed on sites: seen with their site, in their order on it.
import { byPosition } from "#src/db/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { type PublishedSite, publishedSite } from "#src/features/sites/reads/sites.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSpaceModel } from "#src/generated/prisma/models.ts";

export interface SiteSpaceRow extends Stored<SiteSpaceModel> {
  publishedSite: PublishedSite;
  /** Path of its section; null at the root of the site. */
  sectionPath: string | null;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    SiteSpace: SiteSpaceRow;
  }
}

export const siteSpaces = entity<SiteSpaceRow, Viewer>({
  kind: "SiteSpace",
  stored: Prisma.SiteSpaceScalarFieldEnum,
  derived: {
    publishedSite: () => publishedSite,
    sectionPath: () => sql`(select x."path" from "SiteSection" x where x.id = t."sectionId")`,
  },
  visible: canSeeWithSite,
});

export interface SiteSpaceFilter {
  /** True keeps the default of each section and of the root, false the others, null all. */
  readonly default?: boolean | null | undefined;
}

export const siteSpacesOfSite: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  entity: siteSpaces,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: byPosition,
  where: ({ default: isDefault }) => (isDefault == null ? null : sql`t."isDefault" = ${isDefault}`),
};

export const siteSpacesOfSection: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  ...siteSpacesOfSite,
  parent: sql`t."sectionId" = p.id`,
};
