// Reading sites, and their sections, section groups and site spaces, which are seen with their site, in its order.
// Members that are not guests see all sites of their organization, anyone the published ones that are open to them.
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { containsText } from "#src/db/contains-text.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import { allOf, whenGiven } from "#src/db/filters.ts";
import { byId, byName, byPosition, byTime, orderedBy, type Ordered } from "#src/db/orders.ts";
import type { PageList } from "#src/db/page-list.ts";
import { canSeeSite, canSeeWithSite } from "#src/features/sites/access.ts";
import type { SiteVisibility } from "#src/generated/prisma/enums.ts";
import type {
  SiteModel,
  SiteSectionGroupModel,
  SiteSectionModel,
  SiteSpaceModel,
} from "#src/generated/prisma/models.ts";

interface SiteRow extends Stored<SiteModel> {
  siteSpaceCount: number;
  /** The section that was chosen as the default one, or else the first; null where there is none. */
  defaultSectionId: string | null;
  /** What visitors see first: the default of the default section, or of the first place that is not empty. */
  defaultSiteSpaceId: string | null;
}

/** The id of the site space that visitors of a site see first. `siteId` is SQL of the site's id. */
const defaultSiteSpaceOf = (
  siteId: Sql,
): Sql => sql`(select x.id from "SiteSpace" x left join "SiteSection" xs on xs.id = x."sectionId"
  where x."siteId" = ${siteId}
  order by xs.id is null, xs."isDefault" desc, xs."position", xs.id, x."isDefault" desc, x."position", x.id limit 1)`;

/** The id of the default section of a site. */
const defaultSectionOf = (siteId: Sql): Sql => sql`(select x.id from "SiteSection" x where x."siteId" = ${siteId}
  order by x."isDefault" desc, x."position", x.id limit 1)`;

/** The id of the default of the place of site space `t`: of its section, or of the root of its site. */
const defaultOfPlace: Sql = sql`(case when t."sectionId" is null then (select x.id from "SiteSpace" x
    where x."siteId" = t."siteId" and x."sectionId" is null order by x."isDefault" desc, x."position", x.id limit 1)
  else (select x.id from "SiteSpace" x where x."siteId" = t."siteId" and x."sectionId" = t."sectionId"
    order by x."isDefault" desc, x."position", x.id limit 1) end)`;

/** Whether site space `t` is the default of its place: the one that was chosen, or else the first. */
const isDefaultOfPlace: Sql = sql`t.id = ${defaultOfPlace}`;

declare module "#src/db/entity.ts" {
  interface Rows {
    Site: SiteRow;
    SiteSection: SiteSectionRow;
    SiteSectionGroup: SiteSectionGroupRow;
    SiteSpace: SiteSpaceRow;
  }
}

export const sites = entity<SiteRow, Viewer>({
  kind: "Site",
  derived: {
    siteSpaceCount: () => sql`(select count(*)::int from "SiteSpace" ss where ss."siteId" = t.id)`,
    defaultSectionId: () => defaultSectionOf(sql`t.id`),
    defaultSiteSpaceId: () => defaultSiteSpaceOf(sql`t.id`),
  },
  visible: canSeeSite,
});

/** What the published address of a site is made of. */
export type PublishedSite = Pick<SiteRow, "id" | "hostname" | "visibility" | "published" | "shareKey">;

/** The {@link PublishedSite} of row `t`, which is placed on a site. */
const publishedSite: Sql = sql`(select json_build_object('id', s.id, 'hostname', s."hostname",
  'visibility', s."visibility", 'published', s."published", 'shareKey', s."shareKey") from "Site" s where s.id = t."siteId")`;

/** The site of a section, group or site space that the viewer sees: visible with it, also by a share key. */
export const namedSites = { ...sites, visible: () => sql`true` };

const siteOrders = { title: byName("title"), createdAt: byTime("createdAt") };

interface SiteFilter extends Ordered<keyof typeof siteOrders> {
  /** Id of a space: only sites that show it, and none when the viewer may not see that space. */
  readonly spaceId?: string | null | undefined;
  /** Text anywhere in the title, in any letter case. */
  readonly title?: string | null | undefined;
  readonly published?: boolean | null | undefined;
  /** Only sites of one of these visibilities. */
  readonly visibilities?: readonly SiteVisibility[] | null | undefined;
}

const passes = ({ spaceId, title, published, visibilities }: SiteFilter, viewer: Viewer): Sql | null =>
  allOf(
    whenGiven(
      spaceId,
      (id) => sql`t.id in (select ss."siteId" from "SiteSpace" ss where ss."spaceId" =
        (select t.id from "Space" t where t.id = ${id} and ${canSeeSpace(viewer)}))`,
    ),
    whenGiven(title, (text) => containsText(sql`t."title"`, text)),
    whenGiven(published, (isSo) => sql`t."published" = ${isSo}`),
    whenGiven(visibilities, (values) => sql`t."visibility" = any(${values}::"SiteVisibility"[])`),
  );

export const sitesOfOrganization: PageList<SiteRow, Viewer, SiteFilter> = {
  entity: sites,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(siteOrders, byTime("createdAt")),
  where: passes,
};

export const sitesOfSpace: PageList<SiteRow, Viewer> = {
  entity: sites,
  parent: sql`t.id in (select ss."siteId" from "SiteSpace" ss where ss."spaceId" = p.id)`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

interface SiteSectionRow extends Stored<SiteSectionModel> {
  publishedSite: PublishedSite;
}

export const sections = entity<SiteSectionRow, Viewer>({
  kind: "SiteSection",
  noun: "section",
  derived: {
    publishedSite: () => publishedSite,
    isDefault: () => sql`t.id = ${defaultSectionOf(sql`t."siteId"`)}`,
  },
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

type SiteSectionGroupRow = Stored<SiteSectionGroupModel>;

export const groups = entity<SiteSectionGroupRow, Viewer>({
  kind: "SiteSectionGroup",
  noun: "section group",
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

interface SiteSpaceRow extends Stored<SiteSpaceModel> {
  publishedSite: PublishedSite;
  /** Path of its section; null at the root of the site. */
  sectionPath: string | null;
}

export const siteSpaces = entity<SiteSpaceRow, Viewer>({
  kind: "SiteSpace",
  derived: {
    publishedSite: () => publishedSite,
    isDefault: () => isDefaultOfPlace,
    sectionPath: () => sql`(select x."path" from "SiteSection" x where x.id = t."sectionId")`,
  },
  visible: canSeeWithSite,
});

/** The site space of a site that the viewer sees: visible with it, also when a share key has opened the site. */
export const namedSiteSpaces = { ...siteSpaces, visible: () => sql`true` };

interface SiteSpaceFilter {
  /** True keeps the default of each section and of the root, false the others, null all. */
  readonly default?: boolean | null | undefined;
  /** True keeps the default of the site, false the others, null all. */
  readonly isSiteDefault?: boolean | null | undefined;
}

const passesAs = ({ default: isDefault, isSiteDefault }: SiteSpaceFilter): Sql | null =>
  allOf(
    whenGiven(isDefault, (isSo) => sql`(${isDefaultOfPlace}) = ${isSo}`),
    whenGiven(isSiteDefault, (isSo) => sql`(t.id = ${defaultSiteSpaceOf(sql`t."siteId"`)}) = ${isSo}`),
  );

export const siteSpacesOfSite: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  entity: siteSpaces,
  parent: sql`t."siteId" = p.id`,
  visible: "with parent",
  order: byPosition,
  where: passesAs,
};

export const siteSpacesOfSection: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  ...siteSpacesOfSite,
  parent: sql`t."sectionId" = p.id`,
};

export const siteSpacesOfSpace: PageList<SiteSpaceRow, Viewer> = {
  entity: siteSpaces,
  parent: sql`t."spaceId" = p.id`,
  visible: "by its own rule",
  order: byId(),
};
