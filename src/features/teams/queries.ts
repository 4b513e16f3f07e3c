// Where teams are asked for: from organizations, users and memberships; and what a team has a role on.
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
        description: "Only those that the user of this id can manage: as their owner, or as admin of the organization.",
      }),
      title: t.arg.string(titleFilter),
      userId: t.arg.id({ description: "Only those that the user of this id is in." }),
      orderBy: t.arg({
        type: TeamOrder,
        description: "How they are sorted; by title with capital letters before small ones when left out.",
      }),
    },
  }),
  team: t.pick(
    teamsOfOrganization,
    "One of its teams. NOT_FOUND when there is none with this id, FORBIDDEN for guests.",
  ),
}));

builder.prismaObjectFields(Team, (t) => ({
  organization: t.row(organizations, "organizationId", "Its organization."),
  members: t.list(membersOfTeam, "Its members, in the order in which they joined.", {
    args: {
      role: t.arg({ type: TeamRole, description: "Only those with this role in the team." }),
      search: t.arg.string(userFilter),
      orderBy: t.arg({ type: TeamMemberOrder, description: "How they are sorted." }),
    },
  }),
  spaces: t.list(
    spacesOfTeam,
    "The spaces that it has a role on by a grant, on the space or on a collection around it, and that the viewer may see, oldest first.",
  ),
  collections: t.list(
    collectionsOfTeam,
    "The collections that it has a role on by a grant, on the collection or on one around it, and that the viewer may see, oldest first.",
  ),
}));

builder.prismaObjectField(User, "teams", (t) =>
  t.list(teamsOfUser, "The teams that they are in and that the viewer may see, by title; guests see none.", {
    args: { title: t.arg.string(titleFilter) },
  }),
);

builder.prismaObjectField(TeamMember, "team", (t) => t.row(teams, "teamId", "The team."));
