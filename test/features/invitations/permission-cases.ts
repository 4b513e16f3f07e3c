// Permission cases of invitations with their flags.
import { nextNumber } from "#test/support/rows.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { Invitation: "access.test.ts: visible to admins of the organization and the invited user" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createInvitation",
    input: ({ organization }) => ({ organizationId: organization.id, email: `n${nextNumber()}@example.com` }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "createInvitations",
    input: ({ organization }) => ({
      organizationId: organization.id,
      people: [{ email: `n${nextNumber()}@example.com` }, { email: `n${nextNumber()}@example.com`, role: "READ" }],
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "withdrawInvitation",
    input: ({ organization, invitation }) => ({ organizationId: organization.id, invitationId: invitation.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  // The owner of the address may accept and decline, unless their membership is disabled.
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
