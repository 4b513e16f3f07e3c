// The /v1 operations on teams (spec 1, section 4.5).
import { defineRoutes } from "#src/rest/route.ts";

/** A team as REST answers it; members use it for the teams that they are in. */
export const teamFields = `
  fragment TeamFields on Team {
    object id title members: memberCount spaces: spaceCount createdAt
    permissions { admin view }
  }
`;

const tag = { name: "teams", description: "Teams and who is in them." };

export const teamRoutes = defineRoutes(() => tag, {
  listTeams: {
    request: "GET /v1/orgs/{organizationId}/teams",
    summary: "List the teams of an organization",
    list: true,
    query: {
      owner: "Only the teams that the user of this id can manage.",
      title: "Only the teams whose title contains this text, in any letter case.",
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
    conflict: "The title is taken by another team of the organization.",
    success: 201,
    body: { title: "Name of the team.", members: "Ids of the first members." },
    named: { userIds: "members" },
    answer: ["createTeam", "team"],
    fields: teamFields,
  },
  updateTeam: {
    request: "PATCH /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Rename a team",
    conflict: "The title is taken by another team of the organization.",
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
      remove: "Users to take out, each by id or e-mail address; takes precedence over `add` and `memberships`.",
      memberships: { description: "Role for each user, by user id or e-mail address.", key: "user" },
    },
    answer: ["updateTeamMembers", "team"],
    fields: "id",
  },
  setTeamMember: {
    request: "PUT /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Add or update a team member",
    success: 204,
    body: { role: "Role to give; `member` when it is left out for a new member." },
    answer: ["setTeamMember", "teamMember"],
    fields: "role",
  },
  deleteTeamMember: {
    request: "DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Remove a team member",
    answer: ["removeTeamMember", "deletedId"],
  },
});
