// What everybody tries with invitations, and the flags that stand for it.
import { nextNumber } from "#test/support/rows.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Invitation: "access.test.ts: only admins of the organization see it, and who it is for" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createInvitation",
    input: ({ organization }) => ({ organizationId: organization.id, email: `n${nextNumber()}@example.com` }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "withdrawInvitation",
    input: ({ organization, invitation }) => ({ organizationId: organization.id, invitationId: invitation.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  // Everybody who has the address accepts and declines, except those whose membership is switched off.
  {
    mutation: "acceptInvitation",
    input: ({ invitations }, name) => ({ invitationId: invitations[name] }),
    allowedBy: (name) => name !== "disabled",
    seen: [],
  },
  {
    mutation: "declineInvitation",
    input: ({ invitations }, name) => ({ invitationId: invitations[name] }),
    allowedBy: () => true,
    seen: [],
  },
];
