// Where teams are asked for: from organizations and memberships.
import { found } from "#src/base/errors.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import {
  findTeam,
  findTeamOfOrganization,
  pageMembersOfTeam,
  pageTeamsOfOrganization,
} from "#src/features/teams/reads.ts";
import { Team, TeamConnection, TeamMember, TeamMemberConnection } from "#src/features/teams/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectFields(Organization, (t) => ({
  teams: t.field({
    type: TeamConnection,
    nullable: true,
    description: "Its teams, by title. FORBIDDEN for guests.",
    args: {
      ...pageArguments,
      owner: t.arg.id({
        description: "Only those that the user of this id can manage: as their owner, or as admin of the organization.",
      }),
      title: t.arg.string({ description: "Only those whose title contains this text, in any letter case." }),
    },
    columns: ["id"],
    resolve: (organization, { owner = null, title = null, ...page }, context, info) =>
      pageTeamsOfOrganization(context, organization, { ...page, owner, title }, wantedRows(info, "Team")),
  }),
  team: t.field({
    type: Team,
    nullable: true,
    description: "One of its teams. NOT_FOUND when there is none with this id, FORBIDDEN for guests.",
    args: { id: t.arg.id({ required: true, description: "Id of the team." }) },
    columns: ["id"],
    resolve: async (organization, { id }, context, info) =>
      found(await findTeamOfOrganization(context, organization, id, wantedRows(info, "Team")), "team"),
  }),
}));

builder.objectFields(Team, (t) => ({
  organization: t.field({
    type: Organization,
    description: "Its organization.",
    columns: ["organizationId"],
    resolve: async ({ organizationId }, _args, context, info) =>
      found(await findOrganization(context, organizationId, wantedRows(info, "Organization")), "organization"),
  }),
  members: t.field({
    type: TeamMemberConnection,
    description: "Who is in it, first come first.",
    args: pageArguments,
    columns: ["id"],
    resolve: (team, page, context, info) => pageMembersOfTeam(context, team, page, wantedRows(info, "TeamMember")),
  }),
}));

builder.objectField(TeamMember, "team", (t) =>
  t.field({
    type: Team,
    description: "The team.",
    columns: ["teamId"],
    resolve: async ({ teamId }, _args, context, info) =>
      found(await findTeam(context, teamId, wantedRows(info, "Team")), "team"),
  }),
);
