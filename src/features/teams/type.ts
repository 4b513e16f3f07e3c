// The GraphQL types Team and TeamMember.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { teamTitleLength } from "#src/features/teams/commands/team.ts";
import { teamPermissions } from "#src/features/teams/access.ts";
import { teamMembers, teams } from "#src/features/teams/reads.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const TeamRole = defineEnum("TeamRole", "The role of a member in a team.", {
  member: "Belongs to the team.",
  owner: "Manages the team and its members.",
});

export const TeamOrder = defineOrder("Team", "teams", {
  title: "Title, case-insensitive.",
  createdAt: "When they were created.",
});

export const TeamMemberOrder = defineOrder("TeamMember", "members of a team", {
  createdAt: "When they joined the team.",
  displayName: "Display name, case-insensitive.",
});

const TeamPermissions = defineFlags("TeamPermissions", "Permissions of the viewer on a team.", {
  admin: "Rename it and change its members.",
  view: "See it and its members; always true on visible teams.",
});

export const Team = defineNode("Team", teams, {
  description: "A named group of members of an organization, to which roles on content are granted.",
  resource: "team",
  fields: (t) => ({
    title: t.exposeString("title", {
      description: "Name, 1 to 64 characters, unique in the organization.",
      extensions: ofLength(teamTitleLength),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    organizationId: t.exposeID("organizationId", { description: "Id of its organization." }),
    memberCount: t.exposeInt("memberCount", { description: "Number of members." }),
    spaceCount: t.exposeInt("spaceCount", {
      description: "Number of spaces on which it has a role by a grant on the space or on a parent collection.",
    }),
    viewerRole: t.expose("viewerRole", {
      type: TeamRole,
      nullable: true,
      description: "The viewer's own role in it; null for others than members.",
    }),
    permissions: t.value(
      TeamPermissions,
      "Permissions of the viewer.",
      ["organizationId", "isOwnedByViewer"],
      (team, { viewer }) => teamPermissions(viewer, team),
    ),
  }),
});

const TeamMemberPermissions = defineFlags(
  "TeamMemberPermissions",
  "Permissions of the viewer on a membership in a team.",
  { view: "See it; always true on visible teams." },
);

export const TeamMember = defineNode("TeamMember", teamMembers, {
  description: "The membership of an organization member in a team.",
  fields: (t) => ({
    role: t.expose("role", { type: TeamRole, description: "The role in the team." }),
    permissions: t.value(
      TeamMemberPermissions,
      "Permissions of the viewer. Users who see the team see its members.",
      () => ({ view: true }),
    ),
  }),
});

export const TeamMembershipInput = builder.inputType("TeamMembershipInput", {
  description: "The role of a user in a team.",
  fields: (t) => ({
    user: t.string({ required: true, description: "Id or e-mail address of the user." }),
    role: t.field({ type: TeamRole, required: true, description: "The role." }),
  }),
});
