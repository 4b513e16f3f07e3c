// Reading section groups: seen with their site, in their order on it.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeWithSite } from "#src/features/sites/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteSectionGroupModel } from "#src/generated/prisma/models.ts";

export type SiteSectionGroupRow = Stored<SiteSectionGroupModel>;

const groups = entity<SiteSectionGroupRow, Viewer>({
  kind: "SiteSectionGroup",
  stored: Prisma.SiteSectionGroupScalarFieldEnum,
  visible: canSeeWithSite,
});

/** The group of a section in hand: visible with it, also when a share key has opened the site. */
const namedGroups = { ...groups, name: "named", visible: () => sql`true` };

const groupsOfSite: PageList<SiteSectionGroupRow, Viewer, object> = {
  name: "Site.sectionGroups",
  entity: groups,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: () => ({ name: "position", key: sql`t."position"`, type: "text", direction: "asc" }),
};

const groupOfSite: PageList<SiteSectionGroupRow, Viewer, { id: string }> = {
  ...groupsOfSite,
  name: "Site.sectionGroup",
  where: ({ id }) => sql`t.id = ${id}`,
};

export function findSiteSectionGroup(
  context: Context,
  id: string,
  wanted: Wanted,
): Promise<SiteSectionGroupRow | null> {
  return context.reader.row(groups, id, wanted);
}

/** The group of a section in hand, or null when it is in none. */
export async function groupOfSection(
  context: Context,
  section: { sectionGroupId: string | null },
  wanted: Wanted,
): Promise<SiteSectionGroupRow | null> {
  return section.sectionGroupId === null ? null : context.reader.row(namedGroups, section.sectionGroupId, wanted);
}

export function pageSectionGroups(
  context: Context,
  site: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<SiteSectionGroupRow>> {
  return context.reader.page(groupsOfSite, site.id, { page, args: {}, wanted });
}

/** The section group of this id on a site in hand, or null. */
export function findSectionGroupIn(
  context: Context,
  site: { id: string },
  id: string,
  wanted: Wanted,
): Promise<SiteSectionGroupRow | null> {
  return context.reader.first(groupOfSite, site.id, { args: { id }, wanted });
}
