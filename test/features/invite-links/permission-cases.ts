// Permission cases of an invite link with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { InviteLink: "graph.test.ts: visible to admins of the organization" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createInviteLink",
    input: ({ organization }) => ({ organizationId: organization.id, role: "READ" }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "updateInviteLink",
    input: ({ link }) => ({ inviteLinkId: link.id, role: "COMMENT" }),
    allowedBy: ["organization.admin"],
    seen: ["nothing"], // no other user sees a link
  },
  {
    mutation: "deleteInviteLink",
    input: ({ organization, link }) => ({ organizationId: organization.id, inviteLinkId: link.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  // Every user with a link may use it, unless their membership is disabled.
  {
    mutation: "useInviteLink",
    input: ({ link }) => ({ key: link.key }),
    allowedBy: (name) => name !== "disabled",
    seen: [],
  },
];
