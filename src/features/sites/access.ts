// Who may see sites: members of their organization except guests, and, depending on the visibility,
// anyone signed in once they are published.
import { isOpenToAnyone, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { emptySql, identifier, type Sql, sql } from "#src/db/connection/database.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

/** The visibility rule of sites; the site is `t`. Guests are outsiders: only installations have grants on sites. */
export function canSeeSite(viewer: Viewer): Sql {
  const { memberOf, installation } = viewer;
  const granted = installation ? sql` or t.id = any(${installation.siteIds}::text[])` : emptySql;
  return sql`(t."organizationId" = any(${memberOf}::text[])${granted}
    or (t."published" and ${isOpenToAnyone(viewer)}))`;
}

/** The visibility rule of sections, groups and site spaces, which are visible with their site; the row is `t`. */
export function canSeeWithSite(viewer: Viewer): Sql {
  return sql`t."siteId" in (select t.id from "Site" t where ${canSeeSite(viewer)})`;
}

/** Members see every row, others only rows without a condition. The published site evaluates visitors' claims. */
export function isShownOnSite({ memberOf }: Viewer, row: "t" | "x" = "t"): Sql {
  const at = (name: string) => identifier(row, name);
  const site = sql`(select o."organizationId" from "Site" o where o.id = ${at("siteId")})`;
  return sql`(${at("condition")} is null or ${site} = any(${memberOf}::text[]))`;
}

/** The same for site space `t`, which the condition of its section hides, too. */
export function isSpaceShownOnSite(viewer: Viewer, row: "t" | "x" = "t"): Sql {
  const section = sql`(select y."siteId", y."condition" from "SiteSection" y where y.id = ${identifier(row, "sectionId")}) x`;
  return sql`(${isShownOnSite(viewer, row)} and not exists (select from ${section} where not ${isShownOnSite(viewer, "x")}))`;
}

/** The same for group `t`: hidden from others if every section in it has a condition. */
export function isGroupShownOnSite(viewer: Viewer): Sql {
  const sections = sql`select from "SiteSection" x where x."sectionGroupId" = t.id`;
  return sql`(not exists (${sections}) or exists (${sections} and ${isShownOnSite(viewer, "x")}))`;
}

/** The flags of a site that was read, so `view` is true. Its creator may change it while they are a member. */
export function sitePermissions(viewer: Viewer, site: { organizationId: string; createdById: string | null }) {
  const role = viewer.memberships.get(site.organizationId) ?? null;
  const isCreator = role !== null && site.createdById === viewer.userId;
  return { view: true, access: role !== null, admin: isAtLeast(role, "admin") || isCreator };
}

export const siteRoleColumns = ["organizationId", "createdById"] as const;

export type SiteRoleParts = Parameters<typeof sitePermissions>[1];

const onSite = actionsOn(sitePermissions);
const refusal = "Only admins of the organization and the creator of the site may do this.";

export const mayUpdateSite = onSite("admin", "site.update", refusal);
export const mayUpdateSiteCustomization = onSite("admin", "site.updateCustomization", refusal);
export const maySetSiteSignInUrl = onSite("admin", "site.setSignInUrl", refusal);
export const mayDeleteSite = onSite("admin", "site.delete", refusal);
export const mayPublishSite = onSite("admin", "site.publish", refusal);
export const mayUnpublishSite = onSite("admin", "site.unpublish", refusal);
export const mayRotateSiteShareKey = onSite("admin", "site.rotateShareKey", refusal);
export const mayRotateSiteSigningKey = onSite("admin", "site.rotateSigningKey", refusal);
export const mayEndSiteSigningKey = onSite("admin", "site.endSigningKey", refusal);
export const mayCheckSiteHostname = onSite("admin", "site.checkHostname", refusal);
export const maySetSiteJwksUrl = onSite("admin", "site.setJwksUrl", refusal);
export const maySortSiteStructure = onSite("admin", "site.sort", refusal);
export const mayUpdateSiteSection = onSite("admin", "siteSection.update", refusal);
export const mayMoveSiteSection = onSite("admin", "siteSection.move", refusal);
export const mayDeleteSiteSection = onSite("admin", "siteSection.delete", refusal);
export const mayCreateSiteSectionGroup = onSite("admin", "siteSectionGroup.create", refusal);
export const mayUpdateSiteSectionGroup = onSite("admin", "siteSectionGroup.update", refusal);
export const mayMoveSiteSectionGroup = onSite("admin", "siteSectionGroup.move", refusal);
export const mayDeleteSiteSectionGroup = onSite("admin", "siteSectionGroup.delete", refusal);
export const mayUpdateSiteSpace = onSite("admin", "siteSpace.update", refusal);
export const mayMoveSiteSpace = onSite("admin", "siteSpace.move", refusal);
export const mayDeleteSiteSpace = onSite("admin", "siteSpace.delete", refusal);

type NewSite = { readonly organizationId: string; readonly spaces: readonly ItemRoleParts[] };

/** Showing a space on a site publishes it, so it needs the right to merge into the space. */
const mayShow = (viewer: Viewer, spaces: readonly ItemRoleParts[]): boolean =>
  spaces.every((space) => spacePermissions(viewer, space).review);

export const mayCreateSite: Action<NewSite> = {
  name: "site.create",
  isAllowed: ({ viewer }, { organizationId, spaces }) =>
    organizationPermissions(viewer, organizationId).createContent && mayShow(viewer, spaces),
  refusal:
    "You need the role create in an organization to create a site there, and the role review on the spaces it shows.",
};

type Placing = { readonly site: SiteRoleParts; readonly spaces: readonly ItemRoleParts[] };

const onPlacing = (name: Action<Placing>["name"]): Action<Placing> => ({
  name,
  isAllowed: ({ viewer }, { site, spaces }) => sitePermissions(viewer, site).admin && mayShow(viewer, spaces),
  refusal: `${refusal} To show a space on it you need the role review on the space.`,
});

export const mayCreateSiteSection = onPlacing("siteSection.create");
export const mayCreateSiteSpace = onPlacing("siteSpace.create");
export const mayChangeSpaceOfSiteSpace = onPlacing("siteSpace.changeSpace");
