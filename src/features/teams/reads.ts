// Reading teams and who is in them: seen by members of the organization that are no guests.
import { spacesReachedBy } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { joinSql, type Sql, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { requireListTeams } from "#src/features/teams/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { TeamMemberModel, TeamModel } from "#src/generated/prisma/models.ts";

export interface TeamRow extends Stored<TeamModel> {
  memberCount: number;
  /** Spaces, not deleted, that the team has a grant on: directly, or by a collection around them. */
  spaceCount: number;
  isOwnedByViewer: boolean;
}

/** A membership in a team. */
export interface TeamMemberRow extends Stored<TeamMemberModel> {
  /** Id of the membership in the organization. */
  memberId: string;
}

const inOrganizationOfMember = (viewer: Viewer) => sql`t."organizationId" = any(${viewer.memberOf}::text[])`;

const teams = entity<TeamRow, Viewer>({
  kind: "Team",
  stored: Prisma.TeamScalarFieldEnum,
  derived: {
    memberCount: () => sql`(select count(*)::int from "TeamMember" tm where tm."teamId" = t.id)`,
    spaceCount: () => sql`(select count(*)::int from (${spacesReachedBy(sql`g."teamId" = t.id`)}) s)`,
    isOwnedByViewer: (viewer) => sql`exists (select from "TeamMember" tm
      where tm."teamId" = t.id and tm."userId" = ${viewer.userId} and tm.role = 'owner')`,
  },
  visible: inOrganizationOfMember,
});

export const teamMembers = entity<TeamMemberRow, Viewer>({
  kind: "TeamMember",
  stored: Prisma.TeamMemberScalarFieldEnum,
  derived: {
    memberId: () => sql`(select m.id from "OrganizationMember" m
      where m."organizationId" = t."organizationId" and m."userId" = t."userId")`,
  },
  visible: inOrganizationOfMember,
});

/** Whether the value of a column contains a text anywhere, in any letter case. */
export function containsText(column: Sql, text: string): Sql {
  return sql`strpos(lower(${column}), lower(${text})) > 0`;
}

export interface TeamFilter {
  /** Id of a user: only teams that they can manage, as their owner or as admin of the organization. */
  readonly owner: string | null;
  /** Only teams whose title contains this, in any letter case. */
  readonly title: string | null;
}

/** Whether a user can manage the team: in both ways only as an active member that is no guest, as others see no team. */
function isManagedBy(userId: string): Sql {
  const role = sql`(select m.role from "OrganizationMember" m
    where m."organizationId" = p.id and m."userId" = ${userId} and not m.disabled)`;
  const owned = sql`(select tm."teamId" from "TeamMember" tm
    where tm."organizationId" = p.id and tm."userId" = ${userId} and tm.role = 'owner')`;
  return sql`(${role} = 'admin' or (${role} is not null and t.id in ${owned}))`;
}

const byTitle = { name: "title", key: sql`t."title"`, type: "text", direction: "asc" } as const;

const teamsOfOrganization: PageList<TeamRow, Viewer, TeamFilter> = {
  name: "Organization.teams",
  entity: teams,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: () => byTitle,
  where: ({ owner, title }) => {
    const conditions = [sql`true`];
    if (owner !== null) conditions.push(isManagedBy(owner));
    if (title !== null) conditions.push(containsText(sql`t."title"`, title));
    return joinSql(conditions, " and ");
  },
};

const teamOfOrganization: PageList<TeamRow, Viewer, { id: string }> = {
  ...teamsOfOrganization,
  name: "Organization.team",
  order: () => byTitle,
  where: ({ id }) => sql`t.id = ${id}`,
};

const membersOfTeam: PageList<TeamMemberRow, Viewer, object> = {
  name: "Team.members",
  entity: teamMembers,
  parent: sql`t."teamId" = p.id`,
  visible: "with parent",
  order: () => ({ name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "asc" }),
};

const memberOfTeam: PageList<TeamMemberRow, Viewer, { userId: string }> = {
  ...membersOfTeam,
  name: "Team.member",
  order: () => ({ name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "asc" }),
  where: ({ userId }) => sql`t."userId" = ${userId}`,
};

export function findTeam(context: Context, id: string, wanted: Wanted): Promise<TeamRow | null> {
  return context.reader.row(teams, id, wanted);
}

/** The team of this id in the organization, or null. FORBIDDEN for guests. */
export async function findTeamOfOrganization(
  context: Context,
  organization: { id: string },
  id: string,
  wanted: Wanted,
): Promise<TeamRow | null> {
  requireListTeams(context.viewer, organization);
  return findTeamIn(context, organization.id, id, wanted);
}

/** The team of this id in the organization of that id, or null: a guest and a stranger see none. */
export function findTeamIn(
  context: Context,
  organizationId: string,
  id: string,
  wanted: Wanted,
): Promise<TeamRow | null> {
  return context.reader.first(teamOfOrganization, organizationId, { args: { id }, wanted });
}

/** A page of the teams of an organization, by title. FORBIDDEN for guests. */
export async function pageTeamsOfOrganization(
  context: Context,
  organization: { id: string },
  { owner, title, ...page }: PageArguments & TeamFilter,
  wanted: Wanted,
): Promise<Page<TeamRow>> {
  requireListTeams(context.viewer, organization);
  return context.reader.page(teamsOfOrganization, organization.id, { page, args: { owner, title }, wanted });
}

export function pageMembersOfTeam(
  context: Context,
  team: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<TeamMemberRow>> {
  return context.reader.page(membersOfTeam, team.id, { page, args: {}, wanted });
}

/** The membership of a user in a team in hand, or null. */
export function findMemberOfTeam(
  context: Context,
  team: { id: string },
  userId: string,
  wanted: Wanted,
): Promise<TeamMemberRow | null> {
  return context.reader.first(memberOfTeam, team.id, { args: { userId }, wanted });
}
