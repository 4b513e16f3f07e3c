// Reading sites: members that are no guests see all of their organization's, anyone the published ones that are open to them.
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeSite } from "#src/features/sites/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteModel } from "#src/generated/prisma/models.ts";

export interface SiteRow extends Stored<SiteModel> {
  siteSpaceCount: number;
}

const sites = entity<SiteRow, Viewer>({
  kind: "Site",
  stored: Prisma.SiteScalarFieldEnum,
  derived: {
    siteSpaceCount: () => sql`(select count(*)::int from "SiteSpace" ss where ss."siteId" = t.id)`,
  },
  visible: canSeeSite,
});

/** What the published address of a site is made of. */
export type PublishedSite = Pick<SiteRow, "id" | "hostname" | "visibility" | "published" | "shareKey">;

/** The {@link PublishedSite} of row `t`, which stands on a site. */
export const publishedSite: Sql = sql`(select json_build_object('id', s.id, 'hostname', s."hostname",
  'visibility', s."visibility", 'published', s."published", 'shareKey', s."shareKey") from "Site" s where s.id = t."siteId")`;

/** The site that a section, group or site space in hand stands on: visible with it, also when a share key has opened it. */
const namedSites = { ...sites, name: "named", visible: () => sql`true` };

export interface SiteFilter {
  /** Id of a space: only sites that show it, and none when the viewer may not see that space. */
  readonly space: string | null;
  /** Text anywhere in the title, in any letter case. */
  readonly title: string | null;
  readonly published: boolean | null;
}

function passes({ space, title, published }: SiteFilter, viewer: Viewer): Sql | null {
  const conditions: Sql[] = [];
  if (space !== null) {
    conditions.push(sql`t.id in (select ss."siteId" from "SiteSpace" ss where ss."spaceId" =
      (select t.id from "Space" t where t.id = ${space} and ${canSeeSpace(viewer)}))`);
  }
  if (title !== null) conditions.push(sql`t."title" ilike ${`%${title.replaceAll(/[\\%_]/g, "\\$&")}%`}`);
  if (published !== null) conditions.push(sql`t."published" = ${published}`);
  return conditions.length > 0 ? joinSql(conditions, " and ") : null;
}

const byCreation = { name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "asc" } as const;

const sitesOfOrganization: PageList<SiteRow, Viewer, SiteFilter> = {
  name: "Organization.sites",
  entity: sites,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: () => byCreation,
  where: passes,
};

/** What opens one site: its own visibility rule holds for the viewer with the key in hand. */
interface Opening {
  readonly shareKey: string | null;
}

const siteByKey: PageList<SiteRow, Viewer, Opening> = {
  name: "Query.site",
  entity: sites,
  parent: sql`t.id = p.id`,
  visible: "with parent", // by the condition below, which knows the key
  order: () => byCreation,
  where: ({ shareKey }, viewer) => canSeeSite({ ...viewer, shareKey }),
};

const siteOfOrganization: PageList<SiteRow, Viewer, Opening & { id: string }> = {
  name: "Organization.site",
  entity: sites,
  parent: sql`t."organizationId" = p.id`,
  visible: "with parent", // by the condition below, which knows the key
  order: () => byCreation,
  where: ({ id, shareKey }, viewer) => sql`t.id = ${id} and ${canSeeSite({ ...viewer, shareKey })}`,
};

/** A site by its id. `shareKey` opens a published share-link site to anyone who has it. */
export function findSite(
  context: Context,
  id: string,
  wanted: Wanted,
  shareKey: string | null = null,
): Promise<SiteRow | null> {
  if (shareKey === null) return context.reader.row(sites, id, wanted);
  return context.reader.first(siteByKey, id, { args: { shareKey }, wanted });
}

/** The same, when it belongs to the organization of this id, which the viewer need not be in. */
export function findSiteIn(
  context: Context,
  organizationId: string,
  { id, shareKey }: Opening & { id: string },
  wanted: Wanted,
): Promise<SiteRow | null> {
  return context.reader.first(siteOfOrganization, organizationId, { args: { id, shareKey }, wanted });
}

/** The site of a row in hand. Throws when it is gone, which foreign keys prevent. */
export async function namedSite(context: Context, row: { siteId: string }, wanted: Wanted): Promise<SiteRow> {
  const site = await context.reader.row(namedSites, row.siteId, wanted);
  if (!site) throw new Error(`No site ${row.siteId}, though a row names it`);
  return site;
}

export function pageSites(
  context: Context,
  organization: { id: string },
  { space, title, published, ...page }: PageArguments & SiteFilter,
  wanted: Wanted,
): Promise<Page<SiteRow>> {
  return context.reader.page(sitesOfOrganization, organization.id, { page, args: { space, title, published }, wanted });
}
