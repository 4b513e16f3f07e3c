// What everybody tries with sessions: their own, and one of somebody else.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Session: "access.test.ts: only the user sees their sessions" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "revokeSession",
    input: ({ sessions }, name) => ({ sessionId: sessions[name] }),
    allowedBy: () => true,
    seen: [],
  },
  {
    mutation: "revokeSession",
    how: "of somebody else",
    input: ({ sessions }, name) => ({ sessionId: sessions[name === "admin" ? "editor" : "admin"] }),
    allowedBy: () => false,
    seen: ["nothing"],
  },
];
