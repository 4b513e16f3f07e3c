// The /v1 operations on the members of an organization (spec 1, section 4.4). The id of a member is there that of the user.
import { spaceFields } from "#src/features/spaces/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import type { Route } from "#src/rest/route.ts";

const memberFields = /* GraphQL */ `
  fragment MemberFields on OrganizationMember {
    object
    id: userId
    role
    user {
      object
      id
      displayName
      email
      photoURL
      urls {
        location
      }
    }
    disabled
    joinedAt
    lastSeenAt
    sso
    spaces: spaceCount
    teams: teamCount
  }
`;

export const memberRoutes: readonly Route[] = [
  {
    operationId: "listOrganizationMembers",
    method: "GET",
    path: "/v1/orgs/{organizationId}/members",
    summary: "List the members of an organization",
    noun: "organization",
    list: true,
    query: {
      order: "Direction of the sort.",
      role: "Only the members with this role; `guest` takes those without one.",
      search: "Only the members whose display name or e-mail address contains this text.",
      sort: "What to sort by; `lastSeenAt` lists active members only.",
    },
    answer: ["organization", "members"],
    document: /* GraphQL */ `
      query ListOrganizationMembers(
        $organizationId: ID!
        $order: SortOrder = DESC
        $role: OrganizationMemberRoleFilter
        $search: String
        $sort: OrganizationMemberSort = JOINED_AT
        $first: Int
        $after: String
      ) {
        organization(id: $organizationId) {
          members(order: $order, role: $role, search: $search, sort: $sort, first: $first, after: $after) {
            totalCount
            nodes {
              ...MemberFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${memberFields}
    `,
  },
  {
    operationId: "getOrganizationMember",
    method: "GET",
    path: "/v1/orgs/{organizationId}/members/{userId}",
    summary: "Get a member",
    noun: "member",
    answer: ["organization", "member"],
    document: /* GraphQL */ `
      query GetOrganizationMember($organizationId: ID!, $userId: ID!) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
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
];
