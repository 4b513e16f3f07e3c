// Roles on a space and their sources, in SQL for lists of its members: the member is `t`, the id of the space `p.id`.
import { grantsHeldBy, isForMembers, spaceRoleOf } from "#src/access/content.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

type RoleSourceKind =
  | "organization_admin"
  | "organization_role"
  | "collection_default_level"
  | "space_default_level"
  | "user_grant"
  | "team_grant";

export interface RoleSource {
  readonly kind: RoleSourceKind;
  readonly role: Role;
  /** The collection whose default level it is, or that it was granted on; null for the space and the organization. */
  readonly collectionId: string | null;
  readonly teamId: string | null;
  readonly grantId: string | null;
}

// In the subqueries the space is `t` or `s`: columns of the member are selected beside it.

export const roleOnSpace: Sql = sql`(select ${spaceRoleOf(sql`m."userId"`, sql`m.role`)}
  from (select t."userId", t.role) m join "Space" t on t.id = p.id)`;

/** A grant `g` that reaches a space `s`: on it or, unless it is private, on a collection around it. */
const grantReachesSpace = sql`(g."spaceId" = s.id or (s.visibility <> 'private' and g."collectionId" = any(s."ancestors")))`;

/** Whether the member has a role on the space: as an admin, as a member unless it is closed to them, or by a grant. */
export const hasRoleOnSpace: Sql = sql`not t.disabled and (t.role = 'admin'
  or (t.role is not null and (select ${isForMembers} from "Space" t where t.id = p.id)) or exists (
  select from "Space" s join "Grant" g on ${grantReachesSpace} where s.id = p.id and ${grantsHeldBy(sql`t."userId"`, sql`t."organizationId"`)}))`;

const levelAround = sql`select c.id, c."defaultLevel" from "Collection" c
  where s.visibility <> 'private' and c.id = any(s."ancestors") and c."defaultLevel" is not null order by cardinality(c."ancestors") desc limit 1`;

/** The member's source without grants: admin, nearest default level or own role; null on a closed private space. */
const baseSource = sql`select case when m.role = 'admin' then 'organization_admin' when s."defaultLevel" is not null then 'space_default_level'
    when c.id is not null then 'collection_default_level' else 'organization_role' end as kind,
    case when m.role = 'admin' then m.role else coalesce(s."defaultLevel", c."defaultLevel", m.role) end as role,
    case when m.role <> 'admin' and s."defaultLevel" is null then c.id end as "collectionId", null as "teamId", null as "grantId"
  from (select) one left join lateral (${levelAround}) c on true
  where m.role = 'admin' or (m.role is not null and (s.visibility <> 'private' or s."openToMembers" or s."defaultLevel" is not null))`;

const grantSources = sql`select case when g."teamId" is null then 'user_grant' else 'team_grant' end, g.role, g."collectionId", g."teamId", g.id
  from "Grant" g where ${grantsHeldBy(sql`m."userId"`, sql`s."organizationId"`)} and ${grantReachesSpace}`;

/** Everything that gives the member a role on the space, the highest role first: JSON of {@link RoleSource}. */
export const roleSources: Sql = sql`(select json_agg(json_build_object('kind', x.kind, 'role', x.role, 'collectionId', x."collectionId",
    'teamId', x."teamId", 'grantId', x."grantId") order by x.role desc, x.kind, x."grantId")
  from (select t."userId", t.role) m join "Space" s on s.id = p.id cross join lateral (${baseSource} union all ${grantSources}) x)`;
