// The fields that list members of organizations, users, spaces and teams, and the relations of memberships.
import { Role, userFilter } from "#src/features/organizations/type/enums.ts";
import {
  findMember,
  members,
  membershipsOfUser,
  membersOfOrganization,
  membersOfSpace,
  spacesOfMember,
  teamsOfMember,
} from "#src/features/members/reads.ts";
import {
  MemberSpaceConnection,
  MemberTeamConnection,
  OrganizationMember,
  OrganizationMemberOrder,
  OrganizationMemberRoleFilter,
  SpaceMemberConnection,
} from "#src/features/members/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { Space, SpaceOrder } from "#src/features/spaces/type.ts";
import { TeamMember } from "#src/features/teams/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const listArguments = builder.args((t) => ({
  orderBy: t.field({
    type: OrganizationMemberOrder,
    description: "Sort order; newest members first by default.",
  }),
  disabled: t.boolean({
    description: "True: only disabled members; false: only enabled ones.",
  }),
  role: t.field({ type: OrganizationMemberRoleFilter, description: "Only members with this role." }),
  search: t.string(userFilter),
}));

const spaceArguments = builder.args((t) => ({
  orderBy: t.field({ type: SpaceOrder, description: "Sort order; newest spaces first by default." }),
  title: t.string({
    description:
      "Only spaces whose title contains this text, ignoring case. Filters the list while scanning it in its order.",
  }),
}));

builder.prismaObjectFields(Organization, (t) => ({
  members: t.list(
    membersOfOrganization,
    "Members and guests of the organization, newest first. FORBIDDEN for guests.",
    {
      args: listArguments,
    },
  ),
  member: t.field({
    type: OrganizationMember,
    nullable: true,
    description:
      "The membership of a user. NOT_FOUND if the user does not belong to the organization, FORBIDDEN for guests except for their own.",
    args: { userId: t.arg.id({ required: true, description: "Id of the user." }) },
    resolve: (organization, { userId }, context, info) =>
      findMember(context, organization, { userId, projection: projectionOf(info) }),
  }),
}));

builder.prismaObjectField(User, "memberships", (t) =>
  t.list(
    membershipsOfUser,
    "Memberships of the user, oldest organization first. Members see those in their own organizations; guests and other users see only their own.",
  ),
);

builder.prismaObjectField(Space, "members", (t) =>
  t.list(
    membersOfSpace,
    "Members and guests who have a role on it, with the role and its sources, in the order in which they joined the organization. FORBIDDEN for guests and for users outside the organization.",
    {
      type: SpaceMemberConnection,
      args: {
        search: t.arg.string(userFilter),
        role: t.arg({ type: Role, description: "Only users with this role on the space." }),
      },
    },
  ),
);

builder.prismaObjectFields(TeamMember, (t) => ({
  member: t.row(members, "memberId", "The membership in the organization."),
  user: t.row(namedUsers, "userId", "The user."),
}));

builder.prismaObjectFields(OrganizationMember, (t) => ({
  user: t.row(namedUsers, "userId", "The user."),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(spacesOfMember, "Spaces on which the member has a role and that the viewer may see, newest first.", {
    type: MemberSpaceConnection,
    args: spaceArguments,
  }),
  teams: t.list(teamsOfMember, "Teams of the member, oldest first; empty for guests, who do not see teams.", {
    type: MemberTeamConnection,
    args: {
      title: t.arg.string({
        description:
          "Only teams whose title contains this text, ignoring case. Filters the list while scanning it in its order.",
      }),
    },
  }),
}));
