// The /v1 operations on members of an organization, their spaces and teams, and on the members of a team. The id of a
// member is that of the user (spec 1, sections 4.4 and 4.5).
import { spaceFields } from "#src/features/spaces/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import { userFields } from "#src/features/users/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

/** A member; its id is that of the user. */
const memberFields = `
  fragment MemberFields on OrganizationMember {
    object id: userId role
    user { ...UserFields }
    disabled joinedAt lastSeenAt sso spaces: spaceCount teams: teamCount sites: siteCount
  }
  ${userFields}
`;

defineRestFields("TeamMember", {
  team: {
    property: "role",
    description: "Role in the team, as an object.",
  },
});

const tags = {
  members: { name: "members", description: "Members of an organization." },
  teams: { name: "teams", description: "Teams and their members." },
};

const tagOf = (path: string) => (path.includes("/{teamId}/") ? tags.teams : tags.members);

export const memberRoutes = defineRoutes(tagOf, {
  listOrganizationMembers: {
    request: "GET /v1/orgs/{organizationId}/members",
    summary: "List the members of an organization",
    list: true,
    query: {
      order: "Direction of the sort.",
      role: "Only members with this role; `guest` selects those without a role.",
      search: "Only members whose display name or e-mail address contains this text.",
      sort: "Sort field; `lastSeenAt` lists only active members.",
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
    conflict: "The member is the last active admin of the organization.",
    body: { role: "Role in the organization; null makes a guest." },
    answer: ["updateMember", "member"],
    fields: memberFields,
  },
  deleteOrganizationMember: {
    request: "DELETE /v1/orgs/{organizationId}/members/{userId}",
    summary: "Remove a member",
    conflict: "The member is the last active admin of the organization.",
    answer: ["removeMember", "deletedId"],
  },
  setOrganizationMemberSso: {
    request: "POST /v1/orgs/{organizationId}/members/{userId}/sso",
    summary: "Require single sign-on for a member",
    answer: ["setMemberSso", "member"],
    fields: memberFields,
  },
  listOrganizationMemberSpaces: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/spaces",
    summary: "List the spaces of a member",
    list: true,
    query: { order: "Direction of the sort by the creation time of the space." },
    variables: ["$order: SortOrder! = DESC"],
    given: { orderBy: "{ field: CREATED_AT, direction: $order }" },
    answer: ["organization", "member", "spaces"],
    fields: `permission space { ...SpaceFields } ${spaceFields}`,
  },
  listOrganizationMemberTeams: {
    request: "GET /v1/orgs/{organizationId}/members/{userId}/teams",
    summary: "List the teams of a member",
    list: true,
    query: { title: "Only teams whose title contains this text, ignoring case." },
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

export const permissionsTag = {
  name: "permissions",
  description: "Roles of users and teams on spaces and collections.",
};

export const memberAdditions = defineAdditions(() => permissionsTag, {
  listPermissionsAggregateInSpace: {
    request: "GET /v1/spaces/{spaceId}/permissions/aggregate",
    summary: "List the users with a role on a space, each with the highest role of all its sources",
    list: true,
    query: { role: "Only users with this role on the space." },
    answer: ["space", "members"],
    fields: `permission: role user { ...UserFields } ${userFields}`,
  },
});
