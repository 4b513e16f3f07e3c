// Reading sites: members that are not guests see all of their organization's, anyone the published ones that are open
// to them.
import { containsText } from "#src/db/contains-text.ts";
import { byTime } from "#src/db/orders.ts";
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { canSeeSite } from "#src/features/sites/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteModel } from "#src/generated/prisma/models.ts";

export interface SiteRow extends Stored<SiteModel> {
  siteSpaceCount: number;
}

declare module "#src/db/entity.ts" {
  interface Rows {
    Site: SiteRow;
  }
}

export const sites = entity<SiteRow, Viewer>({
  kind: "Site",
  stored: Prisma.SiteScalarFieldEnum,
  derived: {
    siteSpaceCount: () => sql`(select count(*)::int from "SiteSpace" ss where ss."siteId" = t.id)`,
  },
  visible: canSeeSite,
});

/** What the published address of a site is made of. */
export type PublishedSite = Pick<SiteRow, "id" | "hostname" | "visibility" | "published" | "shareKey">;

/** The {@link PublishedSite} of row `t`, which is placed on a site. */
export const publishedSite: Sql = sql`(select json_build_object('id', s.id, 'hostname', s."hostname",
  'visibility', s."visibility", 'published', s."published", 'shareKey', s."shareKey") from "Site" s where s.id = t."siteId")`;

/**
 * The site of a section, group or site space that the viewer sees: visible with it, also when a share key has opened
 * it.
 */
export const namedSites = { ...sites, visible: () => sql`true` };

export interface SiteFilter {
  /** Id of a space: only sites that show it, and none when the viewer may not see that space. */
  readonly space?: string | null | undefined;
  /** Text anywhere in the title, in any letter case. */
  readonly title?: string | null | undefined;
  readonly published?: boolean | null | undefined;
}

function passes({ space, title, published }: SiteFilter, viewer: Viewer): Sql | null {
  const conditions: Sql[] = [];
  if (space != null) {
    conditions.push(sql`t.id in (select ss."siteId" from "SiteSpace" ss where ss."spaceId" =
      (select t.id from "Space" t where t.id = ${space} and ${canSeeSpace(viewer)}))`);
  }
  if (title != null) conditions.push(containsText(sql`t."title"`, title));
  if (published != null) conditions.push(sql`t."published" = ${published}`);
  return conditions.length > 0 ? joinSql(conditions, " and ") : null;
}

export const sitesOfOrganization: PageList<SiteRow, Viewer, SiteFilter> = {
  entity: sites,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
  where: passes,
};
