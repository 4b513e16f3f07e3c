// The /v1 operations on what members have: their spaces, their teams, and from the other side the members of a team (spec 1, sections 4.4 and 4.5).
import { memberFields } from "#src/features/members/routes/fragments.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import type { Route } from "#src/rest/route.ts";

export const belongingRoutes: readonly Route[] = [
  {
    operationId: "listOrganizationMemberSpaces",
    method: "GET",
    path: "/v1/orgs/{organizationId}/members/{userId}/spaces",
    summary: "List the spaces of a member",
    noun: "member",
    list: true,
    query: { order: "Direction of the sort, by the time of creation of the space." },
    answer: ["organization", "member", "spaces"],
    document: /* GraphQL */ `
      query ListOrganizationMemberSpaces(
        $organizationId: ID!
        $userId: ID!
        $order: SortOrder = DESC
        $first: Int
        $after: String
      ) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            spaces(order: $order, first: $first, after: $after) {
              totalCount
              nodes {
                permission
                space {
                  ...SpaceFields
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
      ${spaceFields}
    `,
  },
  {
    operationId: "listOrganizationMemberTeams",
    method: "GET",
    path: "/v1/orgs/{organizationId}/members/{userId}/teams",
    summary: "List the teams of a member",
    noun: "member",
    list: true,
    query: { title: "Only the teams whose title contains this text, in any letter case." },
    answer: ["organization", "member", "teams"],
    document: /* GraphQL */ `
      query ListOrganizationMemberTeams(
        $organizationId: ID!
        $userId: ID!
        $title: String
        $first: Int
        $after: String
      ) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            teams(title: $title, first: $first, after: $after) {
              totalCount
              nodes {
                team {
                  ...TeamFields
                }
                member {
                  role
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
      ${teamFields}
    `,
  },
  {
    operationId: "listTeamMembers",
    method: "GET",
    path: "/v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "List team members",
    noun: "team",
    list: true,
    answer: ["organization", "team", "members"],
    document: /* GraphQL */ `
      query ListTeamMembers($organizationId: ID!, $teamId: ID!, $first: Int, $after: String) {
        organization(id: $organizationId) {
          team(id: $teamId) {
            members(first: $first, after: $after) {
              totalCount
              nodes {
                organization: member {
                  ...MemberFields
                }
                team: membership {
                  role
                }
                permissions {
                  view
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
      ${memberFields}
    `,
  },
];
