// Content access in SQL: visible collections and spaces, and the parts of roles. The item is `t`, a user's id is SQL.
import { emptySql, type Sql, sql } from "#src/db/connection/database.ts";
import { effectiveRole } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** The kind of object that a grant is on: names its column in Grant. */
type Target = "collection" | "space";

export interface ItemRoleParts {
  organizationId: string;
  /** The nearest default level: its own, or that of a collection around it. A private space only has its own. */
  inheritedLevel: Role | null;
  /** The highest role granted to the viewer on it or on a collection around it; on a private space, on it alone. */
  grantedRole: Role | null;
  /** Whether members without a default level have no role on it: true for private spaces not open to members. */
  isClosed: boolean;
}

export const itemRoleColumns = [
  "organizationId",
  "inheritedLevel",
  "grantedRole",
  "isClosed",
] as const satisfies (keyof ItemRoleParts)[];

/** The viewer's role on a collection or space; null without one. */
export function itemRole(viewer: Viewer, of: ItemRoleParts): Role | null {
  return effectiveRole({
    member: viewer.memberships.get(of.organizationId),
    level: of.inheritedLevel,
    granted: of.grantedRole,
    isClosed: of.isClosed,
  });
}

/** Whether the item takes roles from the collections around it: every collection, and spaces that are not private. */
export const takesFromAround: Record<Target, Sql> = { collection: sql`true`, space: sql`t."visibility" <> 'private'` };

/** Whether a space has no role for members without a default level (`isClosed` of {@link ItemRoleParts}). */
const isClosedSpace: Sql = sql`(t."visibility" = 'private' and not t."openToMembers")`;

/** The highest role granted to a user or their teams, on the item or a collection that it takes roles from. */
function grantedRole(target: Target, userId: Sql): Sql {
  const here = target === "space" ? sql`g."spaceId" = t.id` : sql`g."collectionId" = t.id`;
  return sql`(select max(g."role") from "Grant" g where ${grantsHeldBy(userId, sql`t."organizationId"`)}
    and (${here} or (${takesFromAround[target]} and g."collectionId" = any(t."ancestors"))))`;
}

/** How many guests an event names at most, so that it stays small. */
const mostGuests = 1000;

/** Up to a thousand ids of guests with a grant on the item, as JSON: for events of its deletion. */
export function guestIdsOf(target: Target): Sql {
  const here = target === "space" ? sql`g."spaceId" = t.id` : sql`g."collectionId" = t.id`;
  const reaching = sql`g."organizationId" = t."organizationId" and (${here} or (${takesFromAround[target]} and g."collectionId" = any(t."ancestors")))`;
  return sql`(select coalesce(json_agg(x."userId"), '[]') from (
    select m."userId" from "OrganizationMember" m where m."organizationId" = t."organizationId" and m.role is null and not m.disabled and m."userId" in (
      select g."userId" from "Grant" g where ${reaching} and g."userId" is not null
      union all select tm."userId" from "Grant" g join "TeamMember" tm on tm."teamId" = g."teamId" where ${reaching})
    order by m."userId" limit ${mostGuests}::int) x)`;
}

/** The highest role granted to the viewer, whose grants are known already. */
function viewerGrantedRole(target: Target, viewer: Viewer): Sql {
  if (viewer.grantedIds.length === 0) return sql`null::"Role"`;
  const ids = sql`${viewer.grantedIds}::text[]`;
  // Few items have one: looking whether there is one costs less than reading the grants for each item.
  return sql`case when t.id = any(${ids}) or t."ancestors" && ${ids} then (
    select max(g.role) from unnest(${ids}, ${viewer.grantedRoles}::"Role"[]) g(id, role)
    where g.id = t.id or (${takesFromAround[target]} and g.id = any(t."ancestors"))) end`;
}

/** A condition on grants `g` of a user and their teams in an organization; an array keeps both indexed. */
export function grantsHeldBy(userId: Sql, organizationId: Sql): Sql {
  return sql`g."organizationId" = ${organizationId} and (g."userId" = ${userId}
    or g."teamId" = any(array(select tm."teamId" from "TeamMember" tm where tm."userId" = ${userId})))`;
}

/** Ids of spaces `t`, which fulfil `only`, reached by grants `g` directly or (unless private) by a collection. */
export function spacesReachedBy(grants: Sql, only: Sql = sql`true`): Sql {
  return sql`select t.id from "Grant" g join "Space" t on t.id = g."spaceId" where ${grants} and t."deletedAt" is null and ${only}
    union select t.id from "Grant" g join "Space" t on t."ancestors" @> array[g."collectionId"]
      where ${grants} and g."collectionId" is not null and t."deletedAt" is null and t."visibility" <> 'private' and ${only}`;
}

/** Whether members (not guests) have a role on space `t` without a grant: by a default level or their own role. */
export const isForMembers: Sql = sql`(not ${isClosedSpace} or t."defaultLevel" is not null)`;

/** Ids of the collections that the grants `g` of a condition reach: directly or by a collection around. */
export const collectionsReachedBy = (grants: Sql): Sql =>
  andBelow(sql`select g."collectionId" from "Grant" g where ${grants} and g."collectionId" is not null`);

/** Selected collections and all below them, from parent to child: their ancestors are deliberately not indexed. */
export function andBelow(ids: Sql): Sql {
  return sql`with recursive reached(id) as (select i.id collate "C" from (${ids}) i(id)
    union select c.id from reached r join "Collection" c on c."parentId" = r.id) select id from reached`;
}

/** The nearest default level that is not null: the item's own, else that of the innermost collection that has one. */
function inheritedLevel(target: Target): Sql {
  return sql`coalesce(t."defaultLevel", case when cardinality(t."ancestors") > 0 and ${takesFromAround[target]} then (
  select c."defaultLevel" from "Collection" c where c.id = any(t."ancestors") and c."defaultLevel" is not null
  order by cardinality(c."ancestors") desc limit 1) end)`;
}

export const itemRoleParts = (target: Target) => ({
  inheritedLevel: () => inheritedLevel(target),
  grantedRole: (viewer: Viewer) => viewerGrantedRole(target, viewer),
  isClosed: () => (target === "space" ? isClosedSpace : sql`false`),
});

/** The role of an active member on space `t` (`effectiveRole` in SQL); `memberRole` is null for a guest. */
export function spaceRoleOf(userId: Sql, memberRole: Sql): Sql {
  return sql`case when ${memberRole} = 'admin' then 'admin'::"Role" else greatest(
    case when ${memberRole} is not null then coalesce(${inheritedLevel("space")}, case when not ${isClosedSpace} then ${memberRole} end) end,
    ${grantedRole("space", userId)}) end`;
}

/**
 * Whether the viewer has a role on space `t`: as a member unless it is closed to them, as an admin, or by a grant on it
 * or, unless it is private, on a collection around it. Grants count in the viewer's organizations only.
 */
export function isAccessible(viewer: Viewer): Sql {
  const { memberOf, adminOf, grantedIds } = viewer;
  const isIn = sql`t."organizationId" = any(${memberOf}::text[])`;
  // PostgreSQL prepares each condition at every run: conditions that cannot match for the viewer are omitted.
  const isAdmin = adminOf.length === 0 ? emptySql : sql` or t."organizationId" = any(${adminOf}::text[])`;
  const isMember = memberOf.length === adminOf.length ? isIn : sql`(${isIn} and (${isForMembers}${isAdmin}))`;
  if (grantedIds.length === 0) return isMember;
  return sql`(${isMember} or t.id = any(${grantedIds}::text[])
    or (${takesFromAround.space} and t."ancestors" && ${grantedIds}::text[]))`;
}

/** Whether the viewer's role on the item is `admin`, as `effectiveRole` (roles.ts) says it. */
export function isAdministered(target: Target, viewer: Viewer): Sql {
  const isMember = sql`t."organizationId" = any(${viewer.memberOf}::text[])`;
  return sql`(t."organizationId" = any(${viewer.adminOf}::text[]) or (${isMember} and ${inheritedLevel(target)} = 'admin')
    or ${viewerGrantedRole(target, viewer)} = 'admin')`;
}

/** Whether visibility lets anyone view the row and its published content: never comments, change requests, members. */
export function isOpenToAnyone({ shareKey, openedIds }: Viewer): Sql {
  const open = sql`t."visibility" in ('public', 'unlisted')`;
  if (shareKey === null && openedIds.length === 0) return open;
  const byKey = shareKey === null ? sql`false` : sql`t."visibility" = 'share_link' and t."shareKey" = ${shareKey}`;
  const byToken = sql`t."visibility" = 'visitor_auth' and t.id = any(${openedIds}::text[])`;
  return sql`(${open} or (${byKey}) or (${byToken}))`;
}

/** The visibility rule of collections: members, and grants on it or on a collection around it. */
export function canSeeCollection(viewer: Viewer): Sql {
  const isMember = sql`t."organizationId" = any(${viewer.memberOf}::text[])`;
  if (viewer.grantedIds.length === 0) return isMember;
  return sql`(${isMember} or t.id = any(${viewer.grantedIds}::text[]) or t."ancestors" && ${viewer.grantedIds}::text[])`;
}

/** The visibility rule of spaces. Deleted ones are out of every list and count. */
export const canSeeSpace = (viewer: Viewer): Sql =>
  sql`t."deletedAt" is null and (${isAccessible(viewer)} or ${isOpenToAnyone(viewer)})`;

/** The rule for what belongs to a space and needs access to it: `spaceId` is SQL of the space's id. */
export const canAccessSpace = (viewer: Viewer, spaceId: Sql): Sql =>
  sql`${spaceId} in (select t.id from "Space" t where t."deletedAt" is null and ${isAccessible(viewer)})`;
