// The /v1 operations on teams (spec 1, section 4.5).
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

/** A team as REST answers it; members use it for the teams that they are in. */
export const teamFields = /* GraphQL */ `
  fragment TeamFields on Team {
    object
    id
    title
    members: memberCount
    spaces: spaceCount
    createdAt
    permissions {
      admin
      view
    }
  }
`;

export const teamRoutes = defineRoutes({
  listTeams: {
    request: "GET /v1/orgs/{organizationId}/teams",
    summary: "List the teams of an organization",
    list: true,
    query: {
      owner: "Only the teams that the user of this id can manage.",
      title: "Only the teams whose title contains this text, in any letter case.",
    },
    answer: ["organization", "teams"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $owner: ID, $title: String, $first: Int, $after: String) {
        organization(id: $organizationId) {
          teams(owner: $owner, title: $title, first: $first, after: $after) { nodes { ...TeamFields } ${pageOfList} }
        }
      }
      ${teamFields}
    `,
  },
  getTeam: {
    request: "GET /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Get a team",
    answer: ["organization", "team"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $teamId: ID!) {
        organization(id: $organizationId) {
          team(id: $teamId) {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  createTeam: {
    request: "PUT /v1/orgs/{organizationId}/teams",
    summary: "Create a team",
    success: 201,
    body: { title: "Name of the team.", members: "Ids of the first members." },
    answer: ["createTeam", "team"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $title: String!, $members: [ID!]) {
        createTeam(input: { organizationId: $organizationId, title: $title, members: $members }) {
          team {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  updateTeam: {
    request: "PATCH /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Rename a team",
    body: { title: "Name of the team." },
    answer: ["updateTeam", "team"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $teamId: ID!, $title: String!) {
        updateTeam(input: { organizationId: $organizationId, teamId: $teamId, title: $title }) {
          team {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  deleteTeam: {
    request: "DELETE /v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Delete a team",
    answer: ["deleteTeam", "deleted"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $teamId: ID!) {
        deleteTeam(input: { organizationId: $organizationId, teamId: $teamId }) {
          deleted
        }
      }
    `,
  },
  updateTeamMembers: {
    request: "PUT /v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "Change team members",
    success: 204,
    body: {
      add: "Users to add, each by id or e-mail address.",
      remove: "Users to take out, each by id or e-mail address; wins over `add` and `memberships`.",
      memberships: { description: "Role for each user, by user id or e-mail address.", key: "user" },
    },
    answer: ["updateTeamMembers", "team"],
    document: /* GraphQL */ `
      mutation (
        $organizationId: ID!
        $teamId: ID!
        $add: [String!]
        $remove: [String!]
        $memberships: [TeamMembershipInput!]
      ) {
        updateTeamMembers(
          input: {
            organizationId: $organizationId
            teamId: $teamId
            add: $add
            remove: $remove
            memberships: $memberships
          }
        ) {
          team {
            id
          }
        }
      }
    `,
  },
  setTeamMember: {
    request: "PUT /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Add or update a team member",
    success: 204,
    body: { role: "Role to give; `member` when it is left out for a new member." },
    answer: ["setTeamMember", "teamMember"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $teamId: ID!, $userId: ID!, $role: TeamRole) {
        setTeamMember(input: { organizationId: $organizationId, teamId: $teamId, userId: $userId, role: $role }) {
          teamMember {
            role
          }
        }
      }
    `,
  },
  deleteTeamMember: {
    request: "DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Remove a team member",
    answer: ["removeTeamMember", "deleted"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $teamId: ID!, $userId: ID!) {
        removeTeamMember(input: { organizationId: $organizationId, teamId: $teamId, userId: $userId }) {
          deleted
        }
      }
    `,
  },
});
