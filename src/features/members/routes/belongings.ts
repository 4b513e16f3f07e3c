// The /v1 operations on the spaces and teams of members, and on the members of a team (spec 1, sections 4.4 and 4.5).
import { memberFields } from "#src/features/members/routes/fragments.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

export const belongingRoutes = defineRoutes({
  listOrganizationMemberSpaces: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/spaces",
    summary: "List the spaces of a member",
    list: true,
    query: { order: "Direction of the sort, by the time of creation of the space." },
    answer: ["organization", "member", "spaces"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $userId: ID!, $order: SortOrder = DESC, $first: Int, $after: String) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            spaces(order: $order, first: $first, after: $after) {
              nodes { permission space { ...SpaceFields } }
              ${pageOfList}
            }
          }
        }
      }
      ${spaceFields}
    `,
  },
  listOrganizationMemberTeams: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/teams",
    summary: "List the teams of a member",
    list: true,
    query: { title: "Only the teams whose title contains this text, in any letter case." },
    answer: ["organization", "member", "teams"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $userId: ID!, $title: String, $first: Int, $after: String) {
        organization(id: $organizationId) {
          member(userId: $userId) {
            teams(title: $title, first: $first, after: $after) {
              nodes { team { ...TeamFields } member { role } }
              ${pageOfList}
            }
          }
        }
      }
      ${teamFields}
    `,
  },
  listTeamMembers: {
    request: "GET /v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "List team members",
    list: true,
    answer: ["organization", "team", "members"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $teamId: ID!, $first: Int, $after: String) {
        organization(id: $organizationId) {
          team(id: $teamId) {
            members(first: $first, after: $after) {
              nodes { organization: member { ...MemberFields } team: membership { role } permissions { view } }
              ${pageOfList}
            }
          }
        }
      }
      ${memberFields}
    `,
  },
});
