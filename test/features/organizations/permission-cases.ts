// Permission cases of an organization with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";
import { nextNumber } from "#test/support/rows.ts";

export const permissionCases: readonly PermissionCase[] = [
  { mutation: "createOrganization", input: () => ({ title: `New ${nextNumber()}` }), allowedBy: () => true, seen: [] },
  {
    mutation: "updateOrganization",
    input: ({ organization }) => ({ organizationId: organization.id, title: "Renamed" }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "updateOrganization",
    how: "without changes",
    input: ({ organization }) => ({ organizationId: organization.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "checkEmailDomain",
    input: ({ organization }) => ({ organizationId: organization.id, domain: "stage.example.com" }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "rotateVisitorKey",
    input: ({ organization }) => ({ organizationId: organization.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "pingOrganization",
    input: ({ organization }) => ({ organizationId: organization.id }),
    allowedBy: ["organization.view"],
    seen: ["organization"],
  },
];
