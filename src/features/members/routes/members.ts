// The /v1 operations on members of an organization (spec 1, section 4.4), whose id is there that of the user.
import { memberFields } from "#src/features/members/routes/fragments.ts";
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

export const memberRoutes = defineRoutes({
  listOrganizationMembers: {
    request: "GET /v1/orgs/{organizationId}/members",
    summary: "List the members of an organization",
    list: true,
    query: {
      order: "Direction of the sort.",
      role: "Only the members with this role; `guest` takes those without one.",
      search: "Only the members whose display name or e-mail address contains this text.",
      sort: "What to sort by; `lastSeenAt` lists active members only.",
    },
    answer: ["organization", "members"],
    document: /* GraphQL */ `
      query (
        $organizationId: ID!, $order: SortOrder = DESC, $role: OrganizationMemberRoleFilter, $search: String
        $sort: OrganizationMemberSort = JOINED_AT, $first: Int, $after: String
      ) {
        organization(id: $organizationId) {
          members(order: $order, role: $role, search: $search, sort: $sort, first: $first, after: $after) {
            nodes { ...MemberFields } ${pageOfList}
          }
        }
      }
      ${memberFields}
    `,
  },
  getOrganizationMember: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}",
    summary: "Get a member",
    answer: ["organization", "member"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $userId: ID!) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
  updateOrganizationMember: {
    request: "PATCH /v1/orgs/{organizationId}/members/{userId}",
    summary: "Update a member",
    body: { role: "Role in the organization; null for a guest." },
    answer: ["updateMember", "member"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $userId: ID!, $role: Role) {
        updateMember(input: { organizationId: $organizationId, userId: $userId, role: $role }) {
          member {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
  deleteOrganizationMember: {
    request: "DELETE /v1/orgs/{organizationId}/members/{userId}",
    summary: "Remove a member",
    answer: ["removeMember", "deleted"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $userId: ID!) {
        removeMember(input: { organizationId: $organizationId, userId: $userId }) {
          deleted
        }
      }
    `,
  },
  setOrganizationMemberSso: {
    request: "POST /v1/orgs/{organizationId}/members/{userId}/sso",
    summary: "Make a member use single sign-on",
    answer: ["setMemberSso", "member"],
    document: /* GraphQL */ `
      mutation ($organizationId: ID!, $userId: ID!) {
        setMemberSso(input: { organizationId: $organizationId, userId: $userId }) {
          member {
            ...MemberFields
          }
        }
      }
      ${memberFields}
    `,
  },
});
