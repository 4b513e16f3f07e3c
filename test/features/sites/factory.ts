// Makes sites for tests, with their section groups, sections and site spaces.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, nextPosition, type Rows } from "#test/support/rows.ts";

/** A published, public site with nothing on it. */
export function addSite(rows: Rows, given: { organizationId: string } & Partial<Prisma.SiteCreateManyInput>) {
  const number = nextNumber();
  return rows.add("Site", {
    id: newId("Site"),
    title: `Site ${number}`,
    basename: `site-${number}`,
    published: true,
    createdAt: nextInstant(),
    ...given,
  });
}

export function addSectionGroup(
  rows: Rows,
  given: { siteId: string } & Partial<Prisma.SiteSectionGroupCreateManyInput>,
) {
  return rows.add("SiteSectionGroup", {
    id: newId("SiteSectionGroup"),
    title: `Group ${nextNumber()}`,
    position: nextPosition(`entries of ${given.siteId}`),
    ...given,
  });
}

/** A section of a site; not its default one unless that is given. */
export function addSection(rows: Rows, given: { siteId: string } & Partial<Prisma.SiteSectionCreateManyInput>) {
  const number = nextNumber();
  return rows.add("SiteSection", {
    id: newId("SiteSection"),
    title: `Section ${number}`,
    path: `section-${number}`,
    position: nextPosition(`entries of ${given.siteId}`),
    ...given,
  });
}

/**
 * A space placed on a site, at its root or in the section `sectionId`; not the default one there unless that is given.
 */
export function addSiteSpace(
  rows: Rows,
  given: { siteId: string; spaceId: string } & Partial<Prisma.SiteSpaceCreateManyInput>,
) {
  const number = nextNumber();
  return rows.add("SiteSpace", {
    id: newId("SiteSpace"),
    title: `Site space ${number}`,
    path: `space-${number}`,
    position: nextPosition(`spaces of ${given.siteId}`),
    ...given,
  });
}
