// Creates sites for tests, with their section groups, sections and site spaces.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, nextPosition, type Rows } from "#test/support/rows.ts";

/** An adaptive schema with these claims; those below `unsigned` are named `unsigned.name`. */
export function schemaOf(...names: readonly string[]) {
  const claims = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, { type: "boolean" }]));
  const group = (properties: object) => ({ type: "object", properties, additionalProperties: false });
  const unsigned = names.filter((name) => name.startsWith("unsigned."));
  const below = claims(unsigned.map((name) => name.slice("unsigned.".length)));
  const signed = claims(names.filter((name) => !unsigned.includes(name)));
  return group({ ...signed, ...(unsigned.length > 0 && { unsigned: group(below) }) });
}

/** A published, public, empty site. A given hostname is verified. */
export function addSite(rows: Rows, given: { organizationId: string } & Partial<Prisma.SiteCreateManyInput>) {
  const number = nextNumber();
  const instant = nextInstant();
  const claimed = given.hostname != null && {
    claimedHostname: given.hostname,
    hostnameProof: `proof-${number}`,
    hostnameClaimedAt: instant,
    hostnameVerifiedAt: instant,
  };
  return rows.add("Site", {
    id: newId("Site"),
    title: `Site ${number}`,
    basename: `site-${number}`,
    published: true,
    createdAt: instant,
    ...claimed,
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

/** A section of a site; not the default unless given. */
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
 * A space on a site, at its root or in the section `sectionId`; not the default there unless given.
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
