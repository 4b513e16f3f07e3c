// Who may see sites: members of their organization that are not guests, and anyone signed in by visibility once they
// are published.
import { isOpenToAnyone } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/database.ts";

/** The visibility rule of sites; the site is `t`. Guests are as outsiders: nothing can be granted to them on a site. */
export function canSeeSite(viewer: Viewer): Sql {
  return sql`(t."organizationId" = any(${viewer.memberOf}::text[]) or (t."published" and ${isOpenToAnyone(viewer)}))`;
}

/** The visibility rule of sections, groups and site spaces, which are seen with their site; the row is `t`. */
export function canSeeWithSite(viewer: Viewer): Sql {
  return sql`t."siteId" in (select t.id from "Site" t where ${canSeeSite(viewer)})`;
}

/**
 * The flags of a site that was read: `view` is true, since only what may be viewed is ever read. Admins of the
 * organization administrate it, and who created it while they are a member there.
 */
export function sitePermissions(viewer: Viewer, site: { organizationId: string; createdById: string | null }) {
  const role = viewer.memberships.get(site.organizationId) ?? null;
  const isCreator = role !== null && site.createdById === viewer.userId;
  return { view: true, admin: isAtLeast(role, "admin") || isCreator };
}
