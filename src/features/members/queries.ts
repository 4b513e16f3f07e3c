// Where members are asked for: from organizations and teams; and what a membership leads to.
import { members, membersOfOrganization, spacesOfMember, teamsOfMember } from "#src/features/members/reads.ts";
import {
  MemberSpaceConnection,
  MemberTeamConnection,
  OrganizationMember,
  OrganizationMemberRoleFilter,
  OrganizationMemberSort,
} from "#src/features/members/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { TeamMember } from "#src/features/teams/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/builder.ts";
import { SortOrder } from "#src/graph/scalars.ts";

const listArguments = builder.args((t) => ({
  order: t.field({ type: SortOrder, defaultValue: "desc", required: true, description: "Direction of the sort." }),
  role: t.field({ type: OrganizationMemberRoleFilter, description: "Only those with this role." }),
  search: t.string({
    description: "Only those whose display name or e-mail address contains this text, in any letter case.",
  }),
  sort: t.field({
    type: OrganizationMemberSort,
    defaultValue: "joinedAt",
    required: true,
    description: "What to sort by.",
  }),
}));

builder.prismaObjectFields(Organization, (t) => ({
  members: t.list(membersOfOrganization, "Its members and guests, newest first. FORBIDDEN for guests.", {
    args: listArguments,
  }),
  member: t.pick(
    membersOfOrganization,
    "The membership of one user. NOT_FOUND when they are not in it, FORBIDDEN for guests.",
    {
      args: { userId: t.arg.id({ required: true, description: "Id of the user." }) },
    },
  ),
}));

builder.prismaObjectField(TeamMember, "member", (t) =>
  t.row(members, "memberId", "The membership in the organization."),
);

builder.prismaObjectFields(OrganizationMember, (t) => ({
  user: t.row(namedUsers, "userId", "Who it is."),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(
    spacesOfMember,
    "The spaces that the member has a role on and that the viewer may see, newest first.",
    {
      type: MemberSpaceConnection,
      args: {
        order: t.arg({
          type: SortOrder,
          defaultValue: "desc",
          required: true,
          description: "By the time of creation of the space.",
        }),
      },
    },
  ),
  teams: t.list(
    teamsOfMember,
    "The teams that the member is in, oldest team first; none for guests, who see no team.",
    {
      type: MemberTeamConnection,
      args: {
        title: t.arg.string({ description: "Only teams whose title contains this text, in any letter case." }),
      },
    },
  ),
}));
