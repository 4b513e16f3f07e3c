// What everybody tries with an organization, and the flags that stand for it.
import type { Deed } from "#test/support/access/stage.ts";
import { nextNumber } from "#test/support/rows.ts";

export const deeds: readonly Deed[] = [
  { mutation: "createOrganization", input: () => ({ title: `New ${nextNumber()}` }), stands: () => true, seen: [] },
  {
    mutation: "updateOrganization",
    input: ({ organization }) => ({ organizationId: organization.id, title: "Renamed" }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "updateOrganization",
    how: "nothing of it",
    input: ({ organization }) => ({ organizationId: organization.id }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "checkEmailDomain",
    input: ({ organization }) => ({ organizationId: organization.id, domain: "stage.example.com" }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "rotateVisitorKey",
    input: ({ organization }) => ({ organizationId: organization.id }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "pingOrganization",
    input: ({ organization }) => ({ organizationId: organization.id }),
    stands: ["organization.view"],
    seen: ["organization"],
  },
];
