// The GraphQL type OrganizationMember, the items of its lists of spaces and teams, and those of a space's members.
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
  "Which members to list, by their role in the organization.",
  {
    read: "Those with the role read.",
    comment: "Those with the role comment.",
    edit: "Those with the role edit.",
    review: "Those with the role review.",
    create: "Those with the role create.",
    admin: "Administrators.",
    guest: "Guests, who have no role in the organization.",
  },
);

export const OrganizationMemberOrder = defineOrder("OrganizationMember", "members", {
  joinedAt: "When they joined.",
  lastSeenAt: "When they were last seen; lists only active members: not disabled, and seen at least once.",
  displayName: "Their name, in any letter case.",
});

export const OrganizationMember = defineNode("OrganizationMember", members, {
  description: "The membership of a user in an organization. REST names it by the id of the user.",
  resource: "member",
  fields: (t) => ({
    userId: t.exposeID("userId", { description: "Id of the user; the `id` of the member in REST." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "The role in the organization; null for a guest, who has access only to what is granted to them.",
    }),
    disabled: t.exposeBoolean("disabled", { description: "Whether the membership is switched off." }),
    joinedAt: t.expose("joinedAt", { type: "DateTime", description: "When the user joined." }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "When the user was last seen in the organization; null when never.",
    }),
    sso: t.exposeBoolean("sso", {
      description:
        "Whether the user has to sign in by single sign-on alone, once a provider of the organization is active; admins keep the way by e-mail.",
    }),
    spaceCount: t.int({
      description: "Spaces of the organization that the member has a role on; 0 for a disabled member.",
      select: { organizationId: true, role: true, disabled: true, grantedSpaceCount: true },
      resolve: (member, _args, context) => countSpacesOfMember(context, member),
    }),
    teamCount: t.exposeInt("teamCount", { description: "Teams that the member is in; 0 for guests, who see no team." }),
  }),
});

const MemberSpace = builder.objectRef<MemberSpaceRow>("MemberSpace").implement({
  description: "A space that a member has a role on.",
  ...rowsWith("permission"),
  fields: (t) => ({
    permission: t.expose("permission", {
      type: Role,
      description: "The role of the member on the space: the higher of their base role and what is granted to them.",
    }),
    space: t.row(spaces, "id", "The space."),
  }),
});

const MemberTeam = builder.prismaObject("TeamMember", {
  variant: "MemberTeam",
  select: { id: true },
  description: "A team that a member is in.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the membership in the team." }),
    team: t.row(teams, "teamId", "The team."),
    member: t.part(TeamMember, "The membership in the team."),
  }),
});

const SpaceRoleSourceKind = defineEnum("SpaceRoleSourceKind", "What gives a member a role on a space.", {
  organization_admin: "Admins of the organization are admins of everything in it.",
  organization_role: "Their role in the organization, where no default level says otherwise.",
  collection_default_level: "The default level of the innermost collection around the space that has one.",
  space_default_level: "The default level of the space itself.",
  user_grant: "A grant to them, on the space or on a collection around it.",
  team_grant: "A grant to a team of theirs, on the space or on a collection around it.",
});

export const SpaceRoleSource = builder.objectRef<RoleSource>("SpaceRoleSource").implement({
  description: "One of the things that give a member a role on a space; the highest role holds.",
  fields: (t) => ({
    kind: t.expose("kind", { type: SpaceRoleSourceKind, description: "What it is." }),
    role: t.expose("role", { type: Role, description: "The role that it gives." }),
    collection: t.rowOrNull(
      collections,
      "collectionId",
      "The collection that it is set or granted on; null for the space itself and the organization.",
    ),
    team: t.rowOrNull(teams, "teamId", "The team that it was granted to; null for everything else."),
  }),
});

const SpaceMember = builder.objectRef<SpaceMemberRow>("SpaceMember").implement({
  description: "A member or guest of the organization who has a role on a space.",
  ...rowsWith("userId", "role", "sources"),
  fields: (t) => ({
    role: t.expose("role", { type: Role, description: "Their role on the space: the highest of its sources." }),
    sources: t.value([SpaceRoleSource], "Everything that gives them a role there, the highest role first.", (row) => [
      ...row.sources,
    ]),
    user: t.row(namedUsers, "userId", "Who it is."),
    member: t.row(members, "id", "Their membership in the organization."),
  }),
});

export const MemberSpaceConnection = connectionOf(MemberSpace);
export const MemberTeamConnection = connectionOf(MemberTeam);
export const SpaceMemberConnection = connectionOf(SpaceMember);
