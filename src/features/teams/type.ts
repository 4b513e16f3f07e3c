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
  owner: "Manages the team and its members too.",
});

export const TeamOrder = defineOrder("Team", "teams", {
  title: "Their title, in any letter case.",
  createdAt: "When they were created.",
});

export const TeamMemberOrder = defineOrder("TeamMember", "members of a team", {
  createdAt: "When they joined the team.",
  displayName: "Their name, in any letter case.",
});

const TeamPermissions = defineFlags("TeamPermissions", "What the viewer may do with a team.", {
  admin: "Rename it and change its members.",
  view: "See it and its members: true, since a team is found only by those who may.",
});

export const Team = defineNode("Team", teams, {
  description: "A named group of members of an organization, to which roles on content are granted.",
  resource: "team",
  fields: (t) => ({
    title: t.exposeString("title", {
      description: "Its name, 1 to 64 characters, unique in the organization.",
      extensions: ofLength(teamTitleLength),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    organizationId: t.exposeID("organizationId", { description: "Id of its organization." }),
    memberCount: t.exposeInt("memberCount", { description: "Members in it." }),
    spaceCount: t.exposeInt("spaceCount", {
      description: "Spaces that it has a role on by a grant, on the space or on a collection around it.",
    }),
    viewerRole: t.expose("viewerRole", {
      type: TeamRole,
      nullable: true,
      description: "The viewer's own role in it; null when they are not in it.",
    }),
    permissions: t.value(
      TeamPermissions,
      "What the viewer may do.",
      ["organizationId", "isOwnedByViewer"],
      (team, { viewer }) => teamPermissions(viewer, team),
    ),
  }),
});

const TeamMemberPermissions = defineFlags(
  "TeamMemberPermissions",
  "What the viewer may do with a membership in a team.",
  { view: "See it: true, since those who see the team see who is in it." },
);

export const TeamMember = defineNode("TeamMember", teamMembers, {
  description: "The membership of an organization member in a team.",
  fields: (t) => ({
    role: t.expose("role", { type: TeamRole, description: "The role in the team." }),
    permissions: t.value(
      TeamMemberPermissions,
      "What the viewer may do: those who see the team see who is in it.",
      () => ({ view: true }),
    ),
  }),
});

export const TeamMembershipInput = builder.inputType("TeamMembershipInput", {
  description: "The role that a user shall have in a team.",
  fields: (t) => ({
    user: t.string({ required: true, description: "Id or e-mail address of the user." }),
    role: t.field({ type: TeamRole, required: true, description: "The role." }),
  }),
});
