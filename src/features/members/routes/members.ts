// The /v1 operations on the members of an organization (spec 1, section 4.4). The id of a member is there that of the user.
import { memberFields } from "#src/features/members/routes/fragments.ts";
import type { Route } from "#src/rest/route.ts";

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
    operationId: "updateOrganizationMember",
    method: "PATCH",
    path: "/v1/orgs/{organizationId}/members/{userId}",
    summary: "Update a member",
    noun: "member",
    body: { role: "Role in the organization; null for a guest." },
    answer: ["updateMember", "member"],
    document: /* GraphQL */ `
      mutation UpdateOrganizationMember($organizationId: ID!, $userId: ID!, $role: Role) {
        updateMember(input: { organizationId: $organizationId, userId: $userId, role: $role }) {
          member {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
  {
    operationId: "deleteOrganizationMember",
    method: "DELETE",
    path: "/v1/orgs/{organizationId}/members/{userId}",
    summary: "Remove a member",
    noun: "organization",
    success: "deleted",
    answer: ["removeMember", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteOrganizationMember($organizationId: ID!, $userId: ID!) {
        removeMember(input: { organizationId: $organizationId, userId: $userId }) {
          deleted
        }
      }
    `,
  },
  {
    operationId: "setOrganizationMemberSso",
    method: "POST",
    path: "/v1/orgs/{organizationId}/members/{userId}/sso",
    summary: "Make a member use single sign-on",
    noun: "member",
    answer: ["setMemberSso", "member"],
    document: /* GraphQL */ `
      mutation SetOrganizationMemberSso($organizationId: ID!, $userId: ID!) {
        setMemberSso(input: { organizationId: $organizationId, userId: $userId }) {
          member {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
];
