// Reading sections of sites: seen with their site, in their order on it.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { type PublishedSite, publishedSite } from "#src/features/sites/reads/sites.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSectionModel } from "#src/generated/prisma/models.ts";

export interface SiteSectionRow extends Stored<SiteSectionModel> {
  publishedSite: PublishedSite;
}

const sections = entity<SiteSectionRow, Viewer>({
  kind: "SiteSection",
  stored: Prisma.SiteSectionScalarFieldEnum,
  derived: { publishedSite: () => publishedSite },
  visible: canSeeWithSite,
});

/** The section of a site space in hand: visible with it, also when a share key has opened the site. */
const namedSections = { ...sections, name: "named", visible: () => sql`true` };

const sectionsOfSite: PageList<SiteSectionRow, Viewer, object> = {
  name: "Site.sections",
  entity: sections,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: () => ({ name: "position", key: sql`t."position"`, type: "text", direction: "asc" }),
};

const sectionsOfGroup: PageList<SiteSectionRow, Viewer, object> = {
  ...sectionsOfSite,
  name: "SiteSectionGroup.sections",
  parent: sql`t."sectionGroupId" = p.id`,
};

const sectionOfSite: PageList<SiteSectionRow, Viewer, { id: string }> = {
  ...sectionsOfSite,
  name: "Site.section",
  where: ({ id }) => sql`t.id = ${id}`,
};

export function findSiteSection(context: Context, id: string, wanted: Wanted): Promise<SiteSectionRow | null> {
  return context.reader.row(sections, id, wanted);
}

/** The section of a site space in hand, or null at the root of the site. */
export async function sectionOfSiteSpace(
  context: Context,
  siteSpace: { sectionId: string | null },
  wanted: Wanted,
): Promise<SiteSectionRow | null> {
  return siteSpace.sectionId === null ? null : context.reader.row(namedSections, siteSpace.sectionId, wanted);
}

export function pageSectionsOfSite(
  context: Context,
  site: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SiteSectionRow>> {
  return context.reader.page(sectionsOfSite, site.id, { page, args: {}, wanted });
}

export function pageSectionsOfGroup(
  context: Context,
  group: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SiteSectionRow>> {
  return context.reader.page(sectionsOfGroup, group.id, { page, args: {}, wanted });
}

/** The section of this id on a site in hand, or null. */
export function findSectionIn(
  context: Context,
  site: { id: string },
  id: string,
  wanted: Wanted,
): Promise<SiteSectionRow | null> {
  return context.reader.first(sectionOfSite, site.id, { args: { id }, wanted });
}
