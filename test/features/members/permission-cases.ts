// Permission cases of the members of an organization with their flags.
import { type PermissionCase, flag } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  ...["updateMember", "setMemberSso", "removeMember"].map((mutation): PermissionCase => ({
    mutation,
    input: ({ organization, editor }) => ({
      organizationId: organization.id,
      userId: editor.id,
      ...(mutation === "updateMember" && { role: "COMMENT" }),
    }),
    allowedBy: (name, flags) => flag(flags, "organization.admin") || (mutation === "removeMember" && name === "editor"),
    seen: ["organization", "member"],
    ...(mutation === "removeMember" && { deletes: "member" }),
  })),
  {
    mutation: "updateMember",
    how: "without changes",
    input: ({ organization, editor }) => ({ organizationId: organization.id, userId: editor.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization", "member"],
  },
  ...["updateMember", "setMemberSso"].map((mutation): PermissionCase => ({
    mutation,
    how: "oneself",
    input: ({ organization, people }, name) => ({
      organizationId: organization.id,
      userId: people[name].id,
      ...(mutation === "updateMember" && { role: "COMMENT" }),
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"], // guests see themselves
  })),
  {
    mutation: "removeMember",
    how: "oneself",
    input: ({ organization, people }, name) => ({ organizationId: organization.id, userId: people[name].id }),
    allowedBy: ["organization.view"], // every member may leave
    seen: ["organization"],
  },
];
