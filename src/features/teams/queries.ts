// The query fields of teams: of organizations, users and memberships; and the content on which a team has a role.
import { titleFilter, userFilter } from "#src/features/organizations/type/enums.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import {
  collectionsOfTeam,
  membersOfTeam,
  spacesOfTeam,
  teams,
  teamsOfOrganization,
  teamsOfUser,
} from "#src/features/teams/reads.ts";
import { Team, TeamMember, TeamMemberOrder, TeamOrder, TeamRole } from "#src/features/teams/type.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectFields(Organization, (t) => ({
  teams: t.list(teamsOfOrganization, "Its teams, by title. FORBIDDEN for guests.", {
    args: {
      ownerId: t.arg.id({
        description:
          "Only teams that the user with this id can manage, as owner of the team or admin of the organization.",
      }),
      title: t.arg.string(titleFilter),
      userId: t.arg.id({ description: "Only teams that the user with this id is in." }),
      orderBy: t.arg({
        type: TeamOrder,
        description: "Sort order; by default by title, uppercase before lowercase letters.",
      }),
    },
  }),
  team: t.pick(
    teamsOfOrganization,
    "One of its teams by its id. NOT_FOUND if no team with this id is visible to you, FORBIDDEN for guests.",
  ),
}));

builder.prismaObjectFields(Team, (t) => ({
  organization: t.row(organizations, "organizationId", "Its organization."),
  members: t.list(membersOfTeam, "Its members, in the order in which they joined.", {
    args: {
      role: t.arg({ type: TeamRole, description: "Only members with this role in the team." }),
      search: t.arg.string(userFilter),
      orderBy: t.arg({ type: TeamMemberOrder, description: "Sort order." }),
    },
  }),
  spaces: t.list(
    spacesOfTeam,
    "The visible spaces on which it has a role by a grant on the space or on a parent collection, oldest first.",
  ),
  collections: t.list(
    collectionsOfTeam,
    "The visible collections on which it has a role by a grant on the collection or on a parent of it, oldest first.",
  ),
}));

builder.prismaObjectField(User, "teams", (t) =>
  t.list(teamsOfUser, "Their teams that are visible to you, by title; guests do not see teams.", {
    args: { title: t.arg.string(titleFilter) },
  }),
);

builder.prismaObjectField(TeamMember, "team", (t) => t.row(teams, "teamId", "The team."));
