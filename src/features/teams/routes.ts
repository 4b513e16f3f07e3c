// The /v1 operations on teams (spec 1, section 4.5).
import type { Route } from "#src/rest/route.ts";

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

export const teamRoutes: readonly Route[] = [
  {
    operationId: "listTeams",
    method: "GET",
    path: "/v1/orgs/{organizationId}/teams",
    summary: "List the teams of an organization",
    noun: "organization",
    list: true,
    query: {
      owner: "Only the teams that the user of this id can manage.",
      title: "Only the teams whose title contains this text, in any letter case.",
    },
    answer: ["organization", "teams"],
    document: /* GraphQL */ `
      query ListTeams($organizationId: ID!, $owner: ID, $title: String, $first: Int, $after: String) {
        organization(id: $organizationId) {
          teams(owner: $owner, title: $title, first: $first, after: $after) {
            totalCount
            nodes {
              ...TeamFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${teamFields}
    `,
  },
  {
    operationId: "getTeam",
    method: "GET",
    path: "/v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Get a team",
    noun: "team",
    answer: ["organization", "team"],
    document: /* GraphQL */ `
      query GetTeam($organizationId: ID!, $teamId: ID!) {
        organization(id: $organizationId) {
          team(id: $teamId) {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  {
    operationId: "createTeam",
    method: "PUT",
    path: "/v1/orgs/{organizationId}/teams",
    summary: "Create a team",
    noun: "team",
    success: 201,
    body: { title: "Name of the team.", members: "Ids of the first members." },
    answer: ["createTeam", "team"],
    document: /* GraphQL */ `
      mutation CreateTeam($organizationId: ID!, $title: String!, $members: [ID!]) {
        createTeam(input: { organizationId: $organizationId, title: $title, members: $members }) {
          team {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  {
    operationId: "updateTeam",
    method: "PATCH",
    path: "/v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Rename a team",
    noun: "team",
    body: { title: "Name of the team." },
    answer: ["updateTeam", "team"],
    document: /* GraphQL */ `
      mutation UpdateTeam($organizationId: ID!, $teamId: ID!, $title: String!) {
        updateTeam(input: { organizationId: $organizationId, teamId: $teamId, title: $title }) {
          team {
            ...TeamFields
          }
        }
      }
      ${teamFields}
    `,
  },
  {
    operationId: "deleteTeam",
    method: "DELETE",
    path: "/v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Delete a team",
    noun: "organization",
    success: "deleted",
    answer: ["deleteTeam", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteTeam($organizationId: ID!, $teamId: ID!) {
        deleteTeam(input: { organizationId: $organizationId, teamId: $teamId }) {
          deleted
        }
      }
    `,
  },
  {
    operationId: "updateTeamMembers",
    method: "PUT",
    path: "/v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "Change team members",
    noun: "team",
    success: 204,
    body: {
      add: "Users to add, each by id or e-mail address.",
      remove: "Users to take out, each by id or e-mail address; wins over `add` and `memberships`.",
      memberships: { description: "Role for each user, by user id or e-mail address.", key: "user" },
    },
    answer: ["updateTeamMembers", "team"],
    document: /* GraphQL */ `
      mutation UpdateTeamMembers(
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
  {
    operationId: "setTeamMember",
    method: "PUT",
    path: "/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Add or update a team member",
    noun: "team",
    success: 204,
    body: { role: "Role to give; `member` when it is left out for a new member." },
    answer: ["setTeamMember", "teamMember"],
    document: /* GraphQL */ `
      mutation SetTeamMember($organizationId: ID!, $teamId: ID!, $userId: ID!, $role: TeamRole) {
        setTeamMember(input: { organizationId: $organizationId, teamId: $teamId, userId: $userId, role: $role }) {
          teamMember {
            role
          }
        }
      }
    `,
  },
  {
    operationId: "deleteTeamMember",
    method: "DELETE",
    path: "/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}",
    summary: "Remove a team member",
    noun: "team",
    success: "deleted",
    answer: ["removeTeamMember", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteTeamMember($organizationId: ID!, $teamId: ID!, $userId: ID!) {
        removeTeamMember(input: { organizationId: $organizationId, teamId: $teamId, userId: $userId }) {
          deleted
        }
      }
    `,
  },
];
