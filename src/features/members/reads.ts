// Reads of members of organizations, and of their spaces and teams.
import { canSeeSpace, grantsHeldBy, isForMembers, spaceRoleOf, spacesReachedBy } from "#src/access/content.ts";
import { hasRoleOnSpace, roleOnSpace, type RoleSource, roleSources } from "#src/access/space-members.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { type Entity, entity, type Stored, project, type Projection } from "#src/db/reading/entity.ts";
import { byText, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import { mayListMembers, mayListSpaceMembers, type SpaceOfMembers } from "#src/features/members/access.ts";
import { type ContentFilter, contentOrders, hasTitle } from "#src/features/collections/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { type TeamMemberRow, teamMembers } from "#src/features/teams/reads.ts";
import { isOfUserNamed, searchUsers } from "#src/features/users/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { OrganizationMemberModel } from "#src/generated/prisma/models.ts";

export interface OrganizationMemberRow extends Stored<OrganizationMemberModel> {
  /** Number of teams of the member; 0 for viewers who may not see teams. */
  teamCount: number;
  /** Number of spaces with a role only by a grant; 0 for admins and disabled members. */
  grantedSpaceCount: number;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    OrganizationMember: OrganizationMemberRow;
  }
}

export const members = entity<OrganizationMemberRow, Viewer>({
  kind: "OrganizationMember",
  noun: "member",
  derived: {
    teamCount: (viewer) => sql`case when t."organizationId" = any(${viewer.memberOf}::text[]) then (
      select count(*)::int from "TeamMember" tm where tm."organizationId" = t."organizationId" and tm."userId" = t."userId") else 0 end`,
    grantedSpaceCount: () => sql`case when t.disabled or t.role = 'admin' then 0 else (
      select count(*)::int from (select t."userId", t."organizationId", t.role) m cross join lateral (
        ${spacesReachedBy(grantsHeldBy(sql`m."userId"`, sql`m."organizationId"`), sql`(m.role is null or not ${isForMembers})`)}) s) end`,
  },
  visible: (viewer) => sql`(t."organizationId" = any(${viewer.memberOf}::text[])
    or (t."userId" = ${viewer.userId} and t."organizationId" = any(${viewer.organizations}::text[])))`,
});

interface OrganizationTotals {
  id: string;
  /** Numbers of all spaces, on which admins have a role, and of those on which every member has one. */
  spaceCounts: readonly [all: number, forMembers: number];
}

/** Organizations with numbers that are the same for all members, so that they are counted once. */
const totals: Entity<OrganizationTotals, Viewer> = {
  ...entity<OrganizationTotals, Viewer>({
    kind: "Organization",
    derived: {
      spaceCounts: () => sql`(select array[count(*)::int, (count(*) filter (where ${isForMembers}))::int]
        from (select t.id as "organizationId") o join "Space" t using ("organizationId") where t."deletedAt" is null)`,
    },
    visible: (viewer) => organizations.visible(viewer),
  }),
};
const spaceCountsColumn = project(["spaceCounts"]);

/** Triggers copy the name to the membership in lower case, for an index. */
const memberOrders = {
  joinedAt: byTime("joinedAt"),
  lastSeenAt: byTime("lastSeenAt"),
  displayName: { ...byText("sortName"), name: "displayName" },
};

type MemberFilter = Ordered<keyof typeof memberOrders> &
  Optional<{ role: Role | "guest"; search: string; disabled: boolean }>;

/** Whether row `t`, a member or a member count, passes a filter. Sorting by `lastSeenAt` lists active members only. */
const passes = ({ role, disabled, orderBy }: MemberFilter, wasSeen = sql`t."lastSeenAt" is not null`): Sql | null =>
  allOf(
    orderBy?.field === "lastSeenAt" ? sql`${wasSeen} and not t.disabled` : null,
    whenGiven(role, (one) => (one === "guest" ? sql`t.role is null` : sql`t.role = ${one}::"Role"`)),
    whenGiven(disabled, (isSo) => sql`t.disabled = ${isSo}`),
  );

/** Guests see only their own membership, users outside the organization none. */
export const membersIn: PageList<OrganizationMemberRow, Viewer, MemberFilter> = {
  entity: members,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(memberOrders, byTime("joinedAt", "desc")),
  where: (filter) => passes(filter),
  search: ({ search }) => (search == null ? null : searchUsers(search)),
};

/** Ordered by the age of the organization: ids sort by time. */
export const membershipsOfUser: PageList<OrganizationMemberRow, Viewer> = {
  entity: members,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: byText("organizationId"),
};

export const membersOfOrganization: PageList<OrganizationMemberRow, Viewer, MemberFilter> = {
  ...membersIn,
  policy: mayListMembers,
  visible: "with parent", // to all viewers whom the list policy admits
  kept: (filter) =>
    filter.search == null
      ? sql`select coalesce(sum(t.count), 0) from "MemberCount" t
          where ${allOf(sql`t."organizationId" = p.id`, passes(filter, sql`t.seen`))}`
      : null,
};

/** The membership of a user. NOT_FOUND if it does not exist, FORBIDDEN for guests except for their own. */
export async function findMember(
  context: Context,
  organization: { id: string },
  { userId, projection }: { userId: string; projection: Projection },
): Promise<OrganizationMemberRow> {
  const list = userId === context.viewer.userId ? membersIn : membersOfOrganization;
  return found(await context.reader.pick(list, organization, { key: { userId }, projection }), "member");
}

/** The viewer's membership, even if it is closed until a single sign-on; null if it is disabled. */
export async function findOwnMembership(
  { database, viewer: { userId, onlyIn } }: Context,
  organizationId: string,
): Promise<Pick<OrganizationMemberRow, "id" | "organizationId" | "userId"> | null> {
  if (onlyIn !== null && onlyIn !== organizationId) return null;
  const [member] = await database.query<Pick<OrganizationMemberRow, "id" | "organizationId" | "userId">>(sql`
    select m.id, m."organizationId", m."userId" from "OrganizationMember" m
    where m."organizationId" = ${organizationId} and m."userId" = ${userId} and not m.disabled`);
  return member ?? null;
}

/** The number of spaces on which a member has a role. */
export async function countSpacesOfMember(
  context: Context,
  member: Pick<OrganizationMemberRow, "organizationId" | "role" | "disabled" | "grantedSpaceCount">,
): Promise<number> {
  if (member.role === null || member.disabled) return member.grantedSpaceCount;
  const counted = await context.reader.row(totals, member.organizationId, spaceCountsColumn);
  if (!counted) return 0;
  const [all, forMembers] = counted.spaceCounts;
  return member.role === "admin" ? all : forMembers + member.grantedSpaceCount;
}

export type MemberSpaceRow = { id: string; permission: Role };

/** A column of the member to whom the list belongs. */
function ofMember(column: "userId" | "organizationId" | "role"): Sql {
  const name = { userId: sql`m."userId"`, organizationId: sql`m."organizationId"`, role: sql`m.role` }[column];
  return sql`(select ${name} from "OrganizationMember" m where m.id = p.id and not m.disabled)`;
}

/** Spaces in lists of a member (`p.id`); `permission` is the role of the member. */
const memberSpaces: Entity<MemberSpaceRow, Viewer> = {
  ...entity<MemberSpaceRow, Viewer>({
    kind: "Space",
    derived: { permission: () => spaceRoleOf(ofMember("userId"), ofMember("role")) },
    visible: canSeeSpace,
  }),
};

/** Admins have a role on every space; other members on those open to members, and on those granted to them. */
export const spacesOfMember: PageList<MemberSpaceRow, Viewer, ContentFilter> = {
  entity: memberSpaces,
  parent: sql`t."organizationId" = ${ofMember("organizationId")} and (${ofMember("role")} = 'admin'
    or (${ofMember("role")} is not null and ${isForMembers}) or t.id in (${spacesReachedBy(grantsHeldBy(ofMember("userId"), ofMember("organizationId")))}))`,
  visible: "by its own rule",
  order: orderedBy(contentOrders, byTime("createdAt", "desc")),
  where: ({ title }) => hasTitle(title),
};

/** A member with their role on a space, in lists of a space. */
export interface SpaceMemberRow {
  id: string;
  userId: string;
  role: Role;
  sources: readonly RoleSource[];
}

const spaceMembers: Entity<SpaceMemberRow, Viewer> = {
  ...entity<SpaceMemberRow, Viewer>({
    kind: "OrganizationMember",
    stored: { id: "id", userId: "userId" },
    derived: { role: () => roleOnSpace, sources: () => roleSources },
    visible: (viewer) => members.visible(viewer),
  }),
};

type SpaceMemberFilter = Optional<{ search: string; role: Role }>;

/** Ordered by the time of joining the organization. */
export const membersOfSpace: PageList<SpaceMemberRow, Viewer, SpaceMemberFilter, SpaceOfMembers> = {
  entity: spaceMembers,
  parent: sql`t."organizationId" = (select s."organizationId" from "Space" s where s.id = p.id) and ${hasRoleOnSpace}`,
  policy: mayListSpaceMembers,
  visible: "by its own rule",
  order: byTime("joinedAt"),
  where: ({ search, role }) =>
    allOf(
      whenGiven(search, isOfUserNamed),
      whenGiven(role, (one) => sql`${roleOnSpace} = ${one}::"Role"`),
    ),
};

export const teamsOfMember: PageList<TeamMemberRow, Viewer, { title?: string | null | undefined }> = {
  entity: teamMembers,
  parent: sql`t."organizationId" = (select m."organizationId" from "OrganizationMember" m where m.id = p.id)
    and t."userId" = (select m."userId" from "OrganizationMember" m where m.id = p.id)`,
  visible: "by its own rule",
  order: () => ({ name: "team", key: sql`t."teamId"`, type: "text", direction: "asc" }),
  where: ({ title }) =>
    title == null
      ? null
      : sql`exists (select from "Team" e where e.id = t."teamId" and ${containsText(sql`e."title"`, title)})`,
};
