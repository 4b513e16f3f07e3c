// The /v1 operations on teams (spec 1, section 4.5).
import { defineRoutes } from "#src/rest/route.ts";

/** The REST form of a team; members use it for their teams. */
export const teamFields = `
  fragment TeamFields on Team {
    object id title members: memberCount spaces: spaceCount createdAt
    permissions { admin view }
  }
`;

const tag = { name: "teams", description: "Teams and their members." };

export const teamRoutes = defineRoutes(() => tag, {
  listTeams: {
    request: "GET /v1/orgs/{organizationId}/teams",
    summary: "List the teams of an organization",
    list: true,
    query: {
      owner: "Only the teams that the user with this id can manage.",
      title: "Only the teams whose title contains this text, case-insensitive.",
    },
    answer: ["organization", "teams"],
    fields: teamFields,
  },
  getTeam: {
    request: "GET /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Get a team",
    answer: ["organization", "team"],
    fields: teamFields,
  },
  createTeam: {
    request: "PUT /v1/orgs/{organizationId}/teams",
    summary: "Create a team",
    conflict: "Another team of the organization has the title.",
    success: 201,
    body: { title: "Name of the team.", members: "Ids of the first members." },
    named: { userIds: "members" },
    answer: ["createTeam", "team"],
    fields: teamFields,
  },
  updateTeam: {
    request: "PATCH /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Rename a team",
    conflict: "Another team of the organization has the title.",
    body: { title: "Name of the team." },
    answer: ["updateTeam", "team"],
    fields: teamFields,
  },
  deleteTeam: {
    request: "DELETE /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Delete a team",
    answer: ["deleteTeam", "deletedId"],
  },
  updateTeamMembers: {
    request: "PUT /v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "Change team members",
    success: 204,
    body: {
      add: "Users to add, each by id or e-mail address.",
      remove: "Users to remove, each by id or e-mail address; takes precedence over `add` and `memberships`.",
      memberships: { description: "Role for each user, by user id or e-mail address.", key: "user" },
    },
    answer: ["updateTeamMembers", "team"],
    fields: "id",
  },
  setTeamMember: {
    request: "PUT /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Add or update a team member",
    success: 204,
    body: { role: "Role; `member` by default for a new member." },
    answer: ["setTeamMember", "teamMember"],
    fields: "role",
  },
  deleteTeamMember: {
    request: "DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Remove a team member",
    answer: ["removeTeamMember", "deletedId"],
  },
});
