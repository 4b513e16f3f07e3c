// Reads of teams and their members, which members of the organization except guests see.
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { byId, byName, byText, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import { collectionsReachedBy, spacesReachedBy } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { derive, entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Optional } from "#src/domain/input.ts";
import { type CollectionRow, collections } from "#src/features/collections/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";
import { mayListTeams } from "#src/features/teams/access.ts";
import { searchUsers } from "#src/features/users/reads.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";
import type { TeamMemberModel, TeamModel } from "#src/generated/prisma/models.ts";

export interface TeamRow extends Stored<TeamModel> {
  memberCount: number;
  /** Spaces, not deleted, that the team has a grant on: directly, or on a parent collection. */
  spaceCount: number;
  isOwnedByViewer: boolean;
  viewerRole: TeamRole | null;
}

export interface TeamMemberRow extends Stored<TeamMemberModel> {
  /** Id of the membership in the organization. */
  memberId: string;
}

const inOrganizationOfMember = (viewer: Viewer) => sql`t."organizationId" = any(${viewer.memberOf}::text[])`;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    TeamMember: TeamMemberRow;
    Team: TeamRow;
  }
}

export const teams = entity<TeamRow, Viewer>({
  kind: "Team",
  derived: {
    memberCount: () => sql`(select count(*)::int from "TeamMember" tm where tm."teamId" = t.id)`,
    spaceCount: () =>
      sql`(select count(*)::int from (select t.id) team cross join lateral (${spacesReachedBy(sql`g."teamId" = team.id`)}) s)`,
    isOwnedByViewer: (viewer) => sql`exists (select from "TeamMember" tm
      where tm."teamId" = t.id and tm."userId" = ${viewer.userId} and tm.role = 'owner')`,
    viewerRole: (viewer) => sql`(select tm.role from "TeamMember" tm
      where tm."teamId" = t.id and tm."userId" = ${viewer.userId})`,
  },
  visible: inOrganizationOfMember,
});

export const teamMembers = entity<TeamMemberRow, Viewer>({
  kind: "TeamMember",
  noun: "member",
  derived: {
    memberId: () => sql`(select m.id from "OrganizationMember" m
      where m."organizationId" = t."organizationId" and m."userId" = t."userId")`,
  },
  visible: inOrganizationOfMember,
});

declare module "#src/features/organizations/reads.ts" {
  interface OrganizationRow {
    /** Whether the viewer owns a team of the organization. */
    ownsTeam: boolean;
  }
}

derive(organizations, {
  ownsTeam: (viewer) => sql`exists (select from "TeamMember" tm
    where tm."organizationId" = t.id and tm."userId" = ${viewer.userId} and tm.role = 'owner')`,
});

const teamOrders = { title: byName("title"), createdAt: byTime("createdAt") };

/** `ownerId`: only teams that this user can manage, as owner of the team or admin of the organization. */
type TeamFilter = Ordered<keyof typeof teamOrders> & Optional<{ title: string; ownerId: string; userId: string }>;

/** Whether a user can manage the team: only as an active member and not a guest, since others do not see teams. */
function isManagedBy(userId: string): Sql {
  const role = sql`(select m.role from "OrganizationMember" m
    where m."organizationId" = p.id and m."userId" = ${userId} and not m.disabled)`;
  const owned = sql`(select tm."teamId" from "TeamMember" tm
    where tm."organizationId" = p.id and tm."userId" = ${userId} and tm.role = 'owner')`;
  return sql`(${role} = 'admin' or (${role} is not null and t.id in ${owned}))`;
}

/** For users who may see teams; empty for others. */
export const teamsIn: PageList<TeamRow, Viewer, TeamFilter> = {
  entity: teams,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(teamOrders, byText("title")),
  where: ({ ownerId, title, userId }) =>
    allOf(
      whenGiven(ownerId, isManagedBy),
      whenGiven(title, (text) => containsText(sql`t."title"`, text)),
      whenGiven(
        userId,
        (id) =>
          sql`t.id in (select tm."teamId" from "TeamMember" tm where tm."organizationId" = p.id and tm."userId" = ${id})`,
      ),
    ),
};

export const teamsOfOrganization: PageList<TeamRow, Viewer, TeamFilter> = { ...teamsIn, policy: mayListTeams };

export const teamsOfUser: PageList<TeamRow, Viewer, Optional<{ title: string }>> = {
  entity: teams,
  parent: sql`t.id in (select tm."teamId" from "TeamMember" tm where tm."userId" = p.id)`,
  visible: "by its own rule",
  order: byText("title"),
  where: ({ title }) => (title == null ? null : containsText(sql`t."title"`, title)),
};

/** The spaces that `spaceCount` counts, limited to visible ones. */
export const spacesOfTeam: PageList<SpaceRow, Viewer> = {
  entity: spaces,
  parent: sql`t.id in (${spacesReachedBy(sql`g."teamId" = p.id`)})`,
  visible: "by its own rule",
  order: byId(),
};

export const collectionsOfTeam: PageList<CollectionRow, Viewer> = {
  entity: collections,
  parent: sql`t.id in (${collectionsReachedBy(sql`g."teamId" = p.id`)})`,
  visible: "by its own rule",
  order: byId(),
};

/** Triggers copy the lowercase name into the membership, so that an index can sort by it. */
const teamMemberOrders = {
  createdAt: byTime("createdAt"),
  displayName: { ...byText("sortName"), name: "displayName" },
};

type TeamMemberFilter = Ordered<keyof typeof teamMemberOrders> & Optional<{ role: TeamRole; search: string }>;

export const membersOfTeam: PageList<TeamMemberRow, Viewer, TeamMemberFilter> = {
  entity: teamMembers,
  parent: sql`t."teamId" = p.id`,
  visible: "with parent",
  order: orderedBy(teamMemberOrders, byTime("createdAt")),
  where: ({ role }) => whenGiven(role, (one) => sql`t.role = ${one}::"TeamRole"`),
  search: ({ search }) => (search == null ? null : searchUsers(search)),
};
