// The GraphQL type OrganizationMember, and the items of lists of its spaces and teams, and of the members of a space.
import type { RoleSource } from "#src/access/space-members.ts";
import { collections } from "#src/features/collections/reads.ts";
import { countSpacesOfMember, members, type MemberSpaceRow, type SpaceMemberRow } from "#src/features/members/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { teams } from "#src/features/teams/reads.ts";
import { TeamMember } from "#src/features/teams/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { rowsWith } from "#src/graph/run/selection.ts";

export const OrganizationMemberRoleFilter = defineEnum(
  "OrganizationMemberRoleFilter",
  "A filter of members by role in the organization.",
  {
    read: "Members with the role read.",
    comment: "Members with the role comment.",
    edit: "Members with the role edit.",
    review: "Members with the role review.",
    create: "Members with the role create.",
    admin: "Members with the role admin.",
    guest: "Guests, who have no role in the organization.",
  },
);

export const OrganizationMemberOrder = defineOrder("OrganizationMember", "members", {
  joinedAt: "By time of joining.",
  lastSeenAt: "By time of last activity; lists only members that are not disabled and were active at least once.",
  displayName: "By display name, ignoring case.",
});

export const OrganizationMember = defineNode("OrganizationMember", members, {
  description: "The membership of a user in an organization. In /v1 its id is that of the user.",
  resource: "member",
  fields: (t) => ({
    userId: t.exposeID("userId", { description: "Id of the user; the `id` of the member in /v1." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "Role in the organization; null for a guest, who has access only to granted collections and spaces.",
    }),
    disabled: t.exposeBoolean("disabled", { description: "Whether the membership is disabled." }),
    joinedAt: t.expose("joinedAt", { type: "DateTime", description: "Time of joining." }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of the last activity in the organization; null if never active.",
    }),
    sso: t.exposeBoolean("sso", {
      description:
        "Whether single sign-on is required once a provider of the organization is active. Admins can still sign in by e-mail.",
    }),
    spaceCount: t.int({
      description: "Number of spaces on which the member has a role; 0 for a disabled member.",
      select: { organizationId: true, role: true, disabled: true, grantedSpaceCount: true },
      resolve: (member, _args, context) => countSpacesOfMember(context, member),
    }),
    teamCount: t.exposeInt("teamCount", {
      description: "Number of teams of the member; 0 for viewers who are guests.",
    }),
  }),
});

const MemberSpace = builder.objectRef<MemberSpaceRow>("MemberSpace").implement({
  description: "A space on which a member has a role.",
  ...rowsWith("permission"),
  fields: (t) => ({
    permission: t.expose("permission", {
      type: Role,
      description: "Role of the member on the space: the higher of their base role and their granted roles.",
    }),
    space: t.row(spaces, "id", "The space."),
  }),
});

const MemberTeam = builder.prismaObject("TeamMember", {
  variant: "MemberTeam",
  select: { id: true },
  description: "A team of a member.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the membership in the team." }),
    team: t.row(teams, "teamId", "The team."),
    member: t.part(TeamMember, "The membership in the team."),
  }),
});

const SpaceRoleSourceKind = defineEnum("SpaceRoleSourceKind", "The kind of the source of a role on a space.", {
  organization_admin: "The role admin in the organization, which applies to all its content.",
  organization_role: "The role in the organization, if no default level overrides it.",
  collection_default_level: "The default level of the innermost ancestor collection that has one.",
  space_default_level: "The default level of the space itself.",
  user_grant: "A grant to the user on the space or an ancestor collection.",
  team_grant: "A grant to a team of the user on the space or an ancestor collection.",
});

export const SpaceRoleSource = builder.objectRef<RoleSource>("SpaceRoleSource").implement({
  description: "A source of a member's role on a space. The highest role of all sources applies.",
  fields: (t) => ({
    kind: t.expose("kind", { type: SpaceRoleSourceKind, description: "Kind of the source." }),
    role: t.expose("role", { type: Role, description: "Role from this source." }),
    collection: t.rowOrNull(
      collections,
      "collectionId",
      "The collection with the default level or grant; null for the space itself and the organization.",
    ),
    team: t.rowOrNull(teams, "teamId", "The team with the grant; null for other sources."),
  }),
});

const SpaceMember = builder.objectRef<SpaceMemberRow>("SpaceMember").implement({
  description: "A member or guest of the organization who has a role on a space.",
  ...rowsWith("userId", "role", "sources"),
  fields: (t) => ({
    role: t.expose("role", { type: Role, description: "Their role on the space: the highest of its sources." }),
    sources: t.value([SpaceRoleSource], "All sources of their role, the highest role first.", (row) => [
      ...row.sources,
    ]),
    user: t.row(namedUsers, "userId", "Who it is."),
    member: t.row(members, "id", "Their membership in the organization."),
  }),
});

export const MemberSpaceConnection = connectionOf(MemberSpace);
export const MemberTeamConnection = connectionOf(MemberTeam);
export const SpaceMemberConnection = connectionOf(SpaceMember);
