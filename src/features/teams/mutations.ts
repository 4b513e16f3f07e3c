// Mutations on teams and their members.
import { answersWith } from "#src/domain/idempotency.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { teamTitleLength, createTeam, deleteTeam, updateTeam } from "#src/features/teams/commands/team.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { removeTeamMember, setTeamMember, updateTeamMembers } from "#src/features/teams/commands/members.ts";
import { membersOfTeam, teams, teamsOfOrganization } from "#src/features/teams/reads.ts";
import { TeamMembershipInput, TeamRole } from "#src/features/teams/type.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

const organizationId = { required: true, description: "Id of the organization." } as const;
const teamId = { required: true, description: "Id of the team." } as const;
const userId = { required: true, description: "Id of the user." } as const;
const title = {
  required: true,
  description: "Name, 1 to 64 characters, unique in the organization.",
  extensions: ofLength(teamTitleLength),
} as const;
defineMutation({
  name: "createTeam",
  description: "Creates a team. For admins of the organization. CONFLICT if another team has the title.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    title: t.string(title),
    userIds: t.idList({
      description:
        "Ids of the initial members, with the role `member`. INVALID_INPUT names all users who are not active members of the organization.",
    }),
  }),
  run: (input, context) => createTeam(context, input),
  payload: createdPayload("team", teamsOfOrganization, { description: "The new team.", in: "Organization.teams" }),
});

defineMutation({
  name: "updateTeam",
  description: "Renames a team. For its owners and admins of the organization. CONFLICT if another team has the title.",
  input: (t) => ({ organizationId: t.id(organizationId), teamId: t.id(teamId), title: t.string(title) }),
  run: (input, context) => updateTeam(context, input),
  payload: rowPayload("team", teams, "The team."),
});

defineMutation({
  name: "deleteTeam",
  description: "Deletes a team and the grants to it. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), teamId: t.id(teamId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteTeam(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});

defineMutation({
  name: "updateTeamMembers",
  description:
    "Changes the members of a team, all or nothing. For its owners and admins of the organization. INVALID_INPUT names all users who are not members of the organization, and users to add who are disabled there.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    teamId: t.id(teamId),
    add: t.stringList({
      description: "Ids or e-mail addresses of users to add as `member`; existing members keep their role.",
    }),
    remove: t.stringList({
      description: "Ids or e-mail addresses of users to remove; takes precedence over `add` and `memberships`.",
    }),
    memberships: t.field({
      type: [TeamMembershipInput],
      description: "The role of each of these users, who are added if they are not members yet.",
    }),
  }),
  run: (input, context) => updateTeamMembers(context, input),
  payload: rowPayload("team", teams, "The team."),
});

defineMutation({
  name: "setTeamMember",
  description:
    "Adds a user to a team, or changes their role in it. For its owners and admins of the organization. NOT_FOUND for users who are not members of the organization.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    teamId: t.id(teamId),
    userId: t.id(userId),
    role: t.field({
      type: TeamRole,
      description: "The role. By default, new members get `member`, and existing members keep theirs.",
    }),
  }),
  run: (input, context) => setTeamMember(context, input),
  payload: createdPayload("teamMember", membersOfTeam, {
    description: "The membership in the team.",
    in: "Team.members",
  }),
});

defineMutation({
  name: "removeTeamMember",
  description: "Removes a user from a team. For its owners and admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), teamId: t.id(teamId), userId: t.id(userId) }),
  run: (input, context) => answersWith(context, { teamId: input.teamId }, () => removeTeamMember(context, input)),
  payload: (t) => ({
    ...deletedPayload(t),
    team: t.rowOrNull(teams, "teamId", "The team; null if you can no longer see it."),
  }),
});
