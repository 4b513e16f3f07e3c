// Reads of sites, and of their sections, section groups and site spaces, which are visible with their site.
// Members except guests see all sites of their organization, others the published sites that are open to them.
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { claimsOn } from "#src/access/visitor.ts";
import { sitesOfToken } from "#src/access/visitor-tokens.ts";
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { derive, entity, type Stored } from "#src/db/reading/entity.ts";
import { byId, byName, byPosition, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import { pageSize } from "#src/db/reading/page.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import {
  canSeeSite,
  canSeeWithSite,
  isGroupShownOnSite,
  isSpaceShownOnSite,
  isShownOnSite,
} from "#src/features/sites/access.ts";
import { members } from "#src/features/members/reads.ts";
import { holds } from "#src/features/sites/model/condition.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { SiteVisibility } from "#src/generated/prisma/enums.ts";
import type {
  SiteModel,
  SiteSectionGroupModel,
  SiteSectionModel,
  SiteSpaceModel,
} from "#src/generated/prisma/models.ts";

interface SiteRow extends Stored<SiteModel> {
  siteSpaceCount: number;
  /** The chosen default section, or else the first; null without sections. */
  defaultSectionId: string | null;
  /** Id of the site space that visitors see first: the default of the default or first non-empty section. */
  defaultSiteSpaceId: string | null;
  /** The sections and site spaces that have conditions, in their order; the first {@link pageSize}.max of each. */
  conditions: readonly PlacedCondition[];
  /** Its valid keys for tokens of visitors, newest first, without their secrets. */
  signingKeys: SigningKeyFacts[];
}

/** A condition, and the section or site space that has it. */
export interface PlacedCondition {
  readonly siteSectionId: string | null;
  readonly siteSpaceId: string | null;
  readonly condition: string;
}

/** The conditions on site `t`: those of its sections, then those of its site spaces. */
const conditionsOnSite: Sql = sql`(select coalesce(json_agg(json_build_object('siteSectionId', c."siteSectionId",
    'siteSpaceId', c."siteSpaceId", 'condition', c."condition") order by c.kind, c."position", c."siteSectionId", c."siteSpaceId"), '[]')
  from ((select 1 kind, x.id "siteSectionId", null "siteSpaceId", x."condition", x."position" from "SiteSection" x
      where x."siteId" = t.id and x."condition" is not null order by x."position", x.id limit ${pageSize.max})
    union all (select 2, null, x.id, x."condition", x."position" from "SiteSpace" x
      where x."siteId" = t.id and x."condition" is not null order by x."position", x.id limit ${pageSize.max})) c)`;

/** The fields of a signing key that admins see; times in the JSON form of the database. */
export interface SigningKeyFacts {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

const goodSigningKeys: Sql = sql`(select coalesce(json_agg(json_build_object('id', k.id, 'createdAt', k."createdAt",
  'expiresAt', k."expiresAt") order by k."createdAt" desc, k.id desc), '[]') from "SiteSigningKey" k
  where k."siteId" = t.id and (k."expiresAt" is null or k."expiresAt" > now()))`;

/** The id of the site space that visitors of a site see first. `siteId` is SQL of the site's id. */
const defaultSiteSpaceOf = (
  siteId: Sql,
  viewer: Viewer,
): Sql => sql`(select x.id from "SiteSpace" x left join "SiteSection" xs on xs.id = x."sectionId"
  where x."siteId" = ${siteId} and ${isSpaceShownOnSite(viewer, "x")}
  order by xs.id is null, xs."isDefault" desc, xs."position", xs.id, x."isDefault" desc, x."position", x.id limit 1)`;

const defaultSectionOf = (siteId: Sql, viewer: Viewer): Sql => sql`(select x.id from "SiteSection" x
  where x."siteId" = ${siteId} and ${isShownOnSite(viewer, "x")}
  order by x."isDefault" desc, x."position", x.id limit 1)`;

/** The id of the default site space of the section of site space `t`, or of the root of its site. */
const defaultOfPlace = (
  viewer: Viewer,
): Sql => sql`(case when t."sectionId" is null then (select x.id from "SiteSpace" x
    where x."siteId" = t."siteId" and x."sectionId" is null and ${isShownOnSite(viewer, "x")}
    order by x."isDefault" desc, x."position", x.id limit 1)
  else (select x.id from "SiteSpace" x
    where x."siteId" = t."siteId" and x."sectionId" = t."sectionId" and ${isShownOnSite(viewer, "x")}
    order by x."isDefault" desc, x."position", x.id limit 1) end)`;

/** Whether site space `t` is the default of its section or root: the chosen one, or else the first. */
const isDefaultOfPlace = (viewer: Viewer): Sql => sql`t.id = ${defaultOfPlace(viewer)}`;

declare module "#src/db/reading/entity.ts" {
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
    siteSpaceCount: (viewer) =>
      sql`(select count(*)::int from "SiteSpace" x where x."siteId" = t.id and ${isSpaceShownOnSite(viewer, "x")})`,
    defaultSectionId: (viewer) => defaultSectionOf(sql`t.id`, viewer),
    defaultSiteSpaceId: (viewer) => defaultSiteSpaceOf(sql`t.id`, viewer),
    conditions: () => conditionsOnSite,
    signingKeys: () => goodSigningKeys,
  },
  visible: canSeeSite,
});

/** The id of the site that owns a verified custom hostname, or null. Does not check visibility. */
export async function siteIdOfHostname(database: Database, hostname: string): Promise<string | null> {
  const name = hostname.toLowerCase();
  const [site] = await database.query<{ id: string }>(sql`select id from "Site" where "hostname" = ${name}`);
  return site?.id ?? null;
}

/** The columns that make up the published address of a site. */
export type PublishedSite = Pick<
  SiteRow,
  "id" | "hostname" | "proxyOrigin" | "proxyTarget" | "visibility" | "published" | "shareKey"
>;

/** The {@link PublishedSite} of row `t`, which is placed on a site. */
const publishedSite: Sql = sql`(select json_build_object('id', s.id, 'hostname', s."hostname",
  'proxyOrigin', s."proxyOrigin", 'proxyTarget', s."proxyTarget", 'visibility', s."visibility", 'published', s."published", 'shareKey', s."shareKey") from "Site" s where s.id = t."siteId")`;

/** The site of a section, group or site space that the viewer sees: visible with it, also by a share key. */
export const namedSites = { ...sites, visible: () => sql`true` };

/**
 * The first published site that shows space `t` without a condition, and the way to it: the right key, section and
 * path. Conditions are on claims of readers, whom the viewer of a space need not be.
 */
const shownOn = (viewer: Viewer): Sql => sql`(select json_build_object('id', s.id, 'hostname', s."hostname",
    'proxyOrigin', s."proxyOrigin", 'proxyTarget', s."proxyTarget",
    'path', array_remove(array[case when s."visibility" = 'share_link' then s."shareKey" end, xs."path", x."path"], null))
  from "SiteSpace" x join "Site" s on s.id = x."siteId" left join "SiteSection" xs on xs.id = x."sectionId"
  where x."spaceId" = t.id and s."published" and (s."visibility" <> 'share_link' or s."shareKey" = ${viewer.shareKey})
    and s.id in (select t.id from "Site" t where ${canSeeSite(viewer)}) and x."condition" is null and xs."condition" is null
  order by s."createdAt", s.id, x."position", x.id limit 1)`;

derive(spaces, { shownOn });

declare module "#src/features/members/reads.ts" {
  interface OrganizationMemberRow {
    /** Number of sites that the member sees before they are published; 0 for guests and disabled members. */
    siteCount: number;
  }
}

derive(members, {
  siteCount: () => sql`case when t.role is null or t.disabled then 0 else (
    select count(*)::int from "Site" s where s."organizationId" = t."organizationId") end`,
});

const siteOrders = { title: byName("title"), createdAt: byTime("createdAt") };

/** `spaceId`: only sites that show that space; no sites if the viewer may not see it. */
type SiteFilter = Ordered<keyof typeof siteOrders> &
  Optional<{ spaceId: string; title: string; published: boolean; visibilities: readonly SiteVisibility[] }>;

const passes = ({ spaceId, title, published, visibilities }: SiteFilter, viewer: Viewer): Sql | null =>
  allOf(
    whenGiven(
      spaceId,
      (
        id,
      ) => sql`t.id in (select x."siteId" from "SiteSpace" x where ${isSpaceShownOnSite(viewer, "x")} and x."spaceId" =
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
  parent: sql`t.id in (select x."siteId" from "SiteSpace" x where x."spaceId" = p.id)`,
  visible: "by its own rule",
  order: byTime("createdAt"),
  where: (_args, viewer) =>
    sql`exists (select from "SiteSpace" x where x."siteId" = t.id and x."spaceId" = p.id and ${isSpaceShownOnSite(viewer, "x")})`,
};

type SiteSectionRow = Stored<SiteSectionModel> & { publishedSite: PublishedSite };

export const sections = entity<SiteSectionRow, Viewer>({
  kind: "SiteSection",
  noun: "section",
  derived: {
    publishedSite: () => publishedSite,
    isDefault: (viewer) => sql`t.id = ${defaultSectionOf(sql`t."siteId"`, viewer)}`,
  },
  visible: (viewer) => sql`(${canSeeWithSite(viewer)} and ${isShownOnSite(viewer)})`,
});

/** The section of a site space that the viewer sees: visible with it, also when a share key has opened the site. */
export const namedSections = { ...sections, visible: (viewer: Viewer) => isShownOnSite(viewer) };

export const sectionsOfSite: PageList<SiteSectionRow, Viewer> = {
  entity: namedSections,
  parent: sql`t."siteId" = p.id`,
  visible: "by its own rule",
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
  visible: (viewer) => sql`(${canSeeWithSite(viewer)} and ${isGroupShownOnSite(viewer)})`,
});

/** The group of a section or site that the viewer sees, also when a share key has opened the site. */
export const namedGroups = { ...groups, visible: (viewer: Viewer) => isGroupShownOnSite(viewer) };

export const groupsOfSite: PageList<SiteSectionGroupRow, Viewer> = {
  entity: namedGroups,
  parent: sql`t."siteId" = p.id`,
  visible: "by its own rule",
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
    isDefault: isDefaultOfPlace,
    sectionPath: () => sql`(select x."path" from "SiteSection" x where x.id = t."sectionId")`,
  },
  visible: (viewer) => sql`(${canSeeWithSite(viewer)} and ${isSpaceShownOnSite(viewer)})`,
});

/** The site space of a site that the viewer sees: visible with it, also when a share key has opened the site. */
export const namedSiteSpaces = { ...siteSpaces, visible: (viewer: Viewer) => isSpaceShownOnSite(viewer) };

/** True keeps the default of each section and of the root, or of the site; false the others, null all. */
type SiteSpaceFilter = Optional<{ default: boolean; isSiteDefault: boolean }>;

const passesAs = ({ default: isDefault, isSiteDefault }: SiteSpaceFilter, viewer: Viewer): Sql | null =>
  allOf(
    whenGiven(isDefault, (isSo) => sql`(${isDefaultOfPlace(viewer)}) = ${isSo}`),
    whenGiven(isSiteDefault, (isSo) => sql`(t.id = ${defaultSiteSpaceOf(sql`t."siteId"`, viewer)}) = ${isSo}`),
  );

export const siteSpacesOfSite: PageList<SiteSpaceRow, Viewer, SiteSpaceFilter> = {
  entity: namedSiteSpaces,
  parent: sql`t."siteId" = p.id`,
  visible: "by its own rule",
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

/**
 * Ids of the spaces that a visitor's token opens: those that a published site, for which it is valid, shows to its
 * claims. A share-link site shows nothing without its key. Runs one statement for each site the token names, and one
 * more; no statement for a text that is not a token.
 */
export async function spacesOpenedBy(
  { database, visitorTokens }: Pick<Context, "database" | "visitorTokens">,
  token: string,
): Promise<string[]> {
  const visited = sitesOfToken(token).map(async (siteId) => ({
    siteId,
    claims: await visitorTokens.claimsOf(siteId, token),
  }));
  const claimsOf = new Map((await Promise.all(visited)).map(({ siteId, claims }) => [siteId, claims]));
  const siteIds = [...claimsOf].flatMap(([siteId, claims]) => (claims === null ? [] : [siteId]));
  if (siteIds.length === 0) return [];
  const places = await database.query<OpenedPlace>(sql`
    select ss."siteId", s."adaptiveContentEnabled", ss."spaceId", ss."condition", x."condition" as "sectionCondition"
    from "SiteSpace" ss join "Site" s on s.id = ss."siteId" and s."published" and s."visibility" <> 'share_link'
      join "Space" p on p.id = ss."spaceId" and p."visibility" = 'visitor_auth' and p."deletedAt" is null
      left join "SiteSection" x on x.id = ss."sectionId"
    where ss."siteId" = any(${siteIds}::text[])`);
  const shown = places.filter(({ siteId, condition, sectionCondition, ...site }) => {
    const claims = claimsOn(site, claimsOf.get(siteId) ?? {});
    return holds(sectionCondition, claims) && holds(condition, claims);
  });
  return [...new Set(shown.map(({ spaceId }) => spaceId))];
}

interface OpenedPlace {
  readonly siteId: string;
  readonly adaptiveContentEnabled: boolean;
  readonly spaceId: string;
  readonly condition: string | null;
  readonly sectionCondition: string | null;
}
