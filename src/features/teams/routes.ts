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
];
