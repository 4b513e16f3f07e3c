// Permission cases of sessions: the user's own, and one of another user.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { Session: "access.test.ts: visible to their user" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "revokeSession",
    input: ({ sessions }, name) => ({ sessionId: sessions[name] }),
    allowedBy: () => true,
    seen: [],
  },
  {
    mutation: "revokeSession",
    how: "of another user",
    input: ({ sessions }, name) => ({ sessionId: sessions[name === "admin" ? "editor" : "admin"] }),
    allowedBy: () => false,
    seen: ["nothing"],
  },
];
