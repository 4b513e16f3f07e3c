// Where members are asked for: from organizations and teams; and what a membership leads to.
import { found } from "#src/base/errors.ts";
import { pageSpacesOfMember, pageTeamsOfMember } from "#src/features/members/reads/lists.ts";
import { findMember, findMemberOfOrganization, pageMembersOfOrganization } from "#src/features/members/reads/member.ts";
import {
  MemberSpaceConnection,
  MemberTeamConnection,
  OrganizationMember,
  OrganizationMemberConnection,
  OrganizationMemberRoleFilter,
  OrganizationMemberSort,
} from "#src/features/members/type.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { TeamMember } from "#src/features/teams/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { SortOrder } from "#src/graph/scalars.ts";
import { wantedRows } from "#src/graph/selection.ts";

const listArguments = builder.args((t) => ({
  ...pageArguments,
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

builder.objectFields(Organization, (t) => ({
  members: t.field({
    type: OrganizationMemberConnection,
    nullable: true,
    description: "Its members and guests, newest first. FORBIDDEN for guests.",
    args: listArguments,
    columns: ["id"],
    resolve: (organization, { role = null, search = null, ...args }, context, info) =>
      pageMembersOfOrganization(
        context,
        organization,
        { ...args, role, search },
        wantedRows(info, "OrganizationMember"),
      ),
  }),
  member: t.field({
    type: OrganizationMember,
    nullable: true,
    description: "The membership of one user. NOT_FOUND when they are not in it, FORBIDDEN for guests.",
    args: { userId: t.arg.id({ required: true, description: "Id of the user." }) },
    columns: ["id"],
    resolve: async (organization, { userId }, context, info) =>
      found(
        await findMemberOfOrganization(context, organization, userId, wantedRows(info, "OrganizationMember")),
        "member",
      ),
  }),
}));

builder.objectField(TeamMember, "member", (t) =>
  t.field({
    type: OrganizationMember,
    description: "The membership in the organization.",
    columns: ["memberId"],
    resolve: async ({ memberId }, _args, context, info) =>
      found(await findMember(context, memberId, wantedRows(info, "OrganizationMember")), "member"),
  }),
);

builder.objectFields(OrganizationMember, (t) => ({
  user: t.field({
    type: User,
    description: "Who it is.",
    columns: ["userId"],
    resolve: ({ userId }, _args, context, info) => namedUser(context, userId, wantedRows(info, "User")),
  }),
  organization: t.field({
    type: Organization,
    description: "The organization.",
    columns: ["organizationId"],
    resolve: async ({ organizationId }, _args, context, info) =>
      found(await findOrganization(context, organizationId, wantedRows(info, "Organization")), "organization"),
  }),
  spaces: t.field({
    type: MemberSpaceConnection,
    description: "The spaces that the member has a role on and that the viewer may see, newest first.",
    args: {
      ...pageArguments,
      order: t.arg({
        type: SortOrder,
        defaultValue: "desc",
        required: true,
        description: "By the time of creation of the space.",
      }),
    },
    columns: ["id"],
    resolve: (member, args, context, info) =>
      pageSpacesOfMember(context, member, args, wantedRows(info, "MemberSpace")),
  }),
  teams: t.field({
    type: MemberTeamConnection,
    description: "The teams that the member is in, oldest team first; none for guests, who see no team.",
    args: {
      ...pageArguments,
      title: t.arg.string({ description: "Only teams whose title contains this text, in any letter case." }),
    },
    columns: ["id"],
    resolve: (member, { title = null, ...page }, context, info) =>
      pageTeamsOfMember(context, member, { ...page, title }, wantedRows(info, "MemberTeam")),
  }),
}));
