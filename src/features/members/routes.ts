// The /v1 operations on members of an organization, whose id is there that of the user, their spaces and teams, and the
// members of a team (spec 1, sections 4.4 and 4.5).
import { spaceFields } from "#src/features/spaces/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import { userFields } from "#src/features/users/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineRoutes } from "#src/rest/route.ts";

/** A member; its id is that of the user. */
const memberFields = `
  fragment MemberFields on OrganizationMember {
    object id: userId role
    user { ...UserFields }
    disabled joinedAt lastSeenAt sso spaces: spaceCount teams: teamCount
  }
  ${userFields}
`;

defineRestFields("TeamMember", {
  team: {
    property: "role",
    description: "The role in the team once more, as an object of its own; `team` of a team's member in REST.",
  },
});

const tags = {
  members: { name: "members", description: "Members of an organization." },
  teams: { name: "teams", description: "Teams and who is in them." },
};

const tagOf = (path: string) => (path.includes("/{teamId}/") ? tags.teams : tags.members);

export const memberRoutes = defineRoutes(tagOf, {
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
    variables: ["$order: SortOrder! = DESC", "$sort: OrganizationMemberOrderField! = JOINED_AT"],
    given: { orderBy: "{ field: $sort, direction: $order }" },
    answer: ["organization", "members"],
    fields: memberFields,
  },
  getOrganizationMember: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}",
    summary: "Get a member",
    answer: ["organization", "member"],
    fields: memberFields,
  },
  updateOrganizationMember: {
    request: "PATCH /v1/orgs/{organizationId}/members/{userId}",
    summary: "Update a member",
    conflict: "It is the last admin of the organization.",
    body: { role: "Role in the organization; null for a guest." },
    answer: ["updateMember", "member"],
    fields: memberFields,
  },
  deleteOrganizationMember: {
    request: "DELETE /v1/orgs/{organizationId}/members/{userId}",
    summary: "Remove a member",
    conflict: "It is the last admin of the organization.",
    answer: ["removeMember", "deletedId"],
  },
  setOrganizationMemberSso: {
    request: "POST /v1/orgs/{organizationId}/members/{userId}/sso",
    summary: "Make a member use single sign-on",
    answer: ["setMemberSso", "member"],
    fields: memberFields,
  },
  listOrganizationMemberSpaces: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/spaces",
    summary: "List the spaces of a member",
    list: true,
    query: { order: "Direction of the sort, by the time of creation of the space." },
    variables: ["$order: SortOrder! = DESC"],
    given: { orderBy: "{ field: CREATED_AT, direction: $order }" },
    answer: ["organization", "member", "spaces"],
    fields: `permission space { ...SpaceFields } ${spaceFields}`,
  },
  listOrganizationMemberTeams: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/teams",
    summary: "List the teams of a member",
    list: true,
    query: { title: "Only the teams whose title contains this text, in any letter case." },
    answer: ["organization", "member", "teams"],
    fields: `team { ...TeamFields } member { role } ${teamFields}`,
  },
  listTeamMembers: {
    request: "GET /v1/orgs/{organizationId}/teams/{teamId}/members",
    summary: "List team members",
    list: true,
    answer: ["organization", "team", "members"],
    fields: `organization: member { ...MemberFields } team: role permissions { view } ${memberFields}`,
  },
});
