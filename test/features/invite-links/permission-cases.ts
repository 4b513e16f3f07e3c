// What everybody tries with an invite link, and the flags that stand for it.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { InviteLink: "graph.test.ts: only admins of the organization see its links" };

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
    seen: ["nothing"], // nobody else sees a link
  },
  {
    mutation: "deleteInviteLink",
    input: ({ organization, link }) => ({ organizationId: organization.id, inviteLinkId: link.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  // Everybody who has a link may use it, except those whose membership is switched off.
  {
    mutation: "useInviteLink",
    input: ({ link }) => ({ key: link.key }),
    allowedBy: (name) => name !== "disabled",
    seen: [],
  },
];
