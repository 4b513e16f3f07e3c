// Where members are asked for: from organizations, users, spaces and teams; and what a membership leads to.
import { userFilter } from "#src/features/organizations/type/enums.ts";
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
    description: "How they are sorted; those that joined last first when left out.",
  }),
  disabled: t.boolean({
    description: "True lists only those whose membership is switched off, false only the others.",
  }),
  role: t.field({ type: OrganizationMemberRoleFilter, description: "Only those with this role." }),
  search: t.string(userFilter),
}));

const spaceArguments = builder.args((t) => ({
  orderBy: t.field({ type: SpaceOrder, description: "How they are sorted; those created last first when left out." }),
  title: t.string({
    description:
      "Only spaces whose title contains this text, in any letter case; the list is looked through in its order.",
  }),
}));

builder.prismaObjectFields(Organization, (t) => ({
  members: t.list(membersOfOrganization, "Its members and guests, newest first. FORBIDDEN for guests.", {
    args: listArguments,
  }),
  member: t.field({
    type: OrganizationMember,
    nullable: true,
    description:
      "The membership of one user. NOT_FOUND when they are not in it, FORBIDDEN for guests who ask for any but their own.",
    args: { userId: t.arg.id({ required: true, description: "Id of the user." }) },
    resolve: (organization, { userId }, context, info) =>
      findMember(context, organization, { userId, projection: projectionOf(info) }),
  }),
}));

builder.prismaObjectField(User, "memberships", (t) =>
  t.list(
    membershipsOfUser,
    "The organizations that they are in, each with their role there, as far as the viewer sees: members see those in their own organizations, guests and everybody else their own. Oldest organization first.",
  ),
);

builder.prismaObjectField(Space, "members", (t) =>
  t.list(
    membersOfSpace,
    "Everybody who has a role on it, with the role and what gives it, in the order in which they joined the organization. FORBIDDEN for guests, and for those outside the organization.",
    { type: SpaceMemberConnection, args: { search: t.arg.string(userFilter) } },
  ),
);

builder.prismaObjectFields(TeamMember, (t) => ({
  member: t.row(members, "memberId", "The membership in the organization."),
  user: t.row(namedUsers, "userId", "Who it is."),
}));

builder.prismaObjectFields(OrganizationMember, (t) => ({
  user: t.row(namedUsers, "userId", "Who it is."),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(
    spacesOfMember,
    "The spaces that the member has a role on and that the viewer may see, newest first.",
    { type: MemberSpaceConnection, args: spaceArguments },
  ),
  teams: t.list(
    teamsOfMember,
    "The teams that the member is in, oldest team first; none for guests, who see no team.",
    {
      type: MemberTeamConnection,
      args: {
        title: t.arg.string({
          description:
            "Only teams whose title contains this text, in any letter case; the list is looked through in its order.",
        }),
      },
    },
  ),
}));
