// Reading site spaces, the spaces as they are placed on sites: seen with their site, in their order on it.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { type PublishedSite, publishedSite } from "#src/features/sites/reads/sites.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSpaceModel } from "#src/generated/prisma/models.ts";

export interface SiteSpaceRow extends Stored<SiteSpaceModel> {
  publishedSite: PublishedSite;
  /** Path of its section; null at the root of the site. */
  sectionPath: string | null;
}

const siteSpaces = entity<SiteSpaceRow, Viewer>({
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
  readonly isDefault: boolean | null;
}

const byPosition = { name: "position", key: sql`t."position"`, type: "text", direction: "asc" } as const;

const siteSpacesOfSite: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  name: "Site.siteSpaces",
  entity: siteSpaces,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: () => byPosition,
  where: ({ isDefault }) => (isDefault === null ? null : sql`t."isDefault" = ${isDefault}`),
};

const siteSpacesOfSection: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  ...siteSpacesOfSite,
  name: "SiteSection.siteSpaces",
  parent: sql`t."sectionId" = p.id`,
};

const siteSpaceOfSite: PageList<SiteSpaceRow, Viewer, { id: string }> = {
  ...siteSpacesOfSite,
  name: "Site.siteSpace",
  order: () => byPosition,
  where: ({ id }) => sql`t.id = ${id}`,
};

export function findSiteSpace(context: Context, id: string, wanted: Wanted): Promise<SiteSpaceRow | null> {
  return context.reader.row(siteSpaces, id, wanted);
}

export function pageSiteSpacesOfSite(
  context: Context,
  site: { id: string },
  { isDefault, ...page }: PageArguments & SiteSpaceFilter,
  wanted: Wanted,
): Promise<Page<SiteSpaceRow>> {
  return context.reader.page(siteSpacesOfSite, site.id, { page, args: { isDefault }, wanted });
}

export function pageSiteSpacesOfSection(
  context: Context,
  section: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SiteSpaceRow>> {
  return context.reader.page(siteSpacesOfSection, section.id, { page, args: { isDefault: null }, wanted });
}

/** The site space of this id on a site in hand, or null. */
export function findSiteSpaceIn(
  context: Context,
  site: { id: string },
  id: string,
  wanted: Wanted,
): Promise<SiteSpaceRow | null> {
  return context.reader.first(siteSpaceOfSite, site.id, { args: { id }, wanted });
}
