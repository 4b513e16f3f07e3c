// What everybody tries with API tokens: their own, and one of somebody else.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { ApiToken: "graph.test.ts: only the user sees their tokens" };

export const permissionCases: readonly PermissionCase[] = [
  { mutation: "createApiToken", input: () => ({ name: "mine" }), allowedBy: () => true, seen: [] },
  {
    mutation: "rotateApiToken",
    input: ({ tokens }, name) => ({ apiTokenId: tokens[name] }),
    allowedBy: () => true,
    seen: [],
  },
  {
    mutation: "rotateApiToken",
    how: "of somebody else",
    input: ({ tokens }, name) => ({ apiTokenId: tokens[name === "admin" ? "editor" : "admin"] }),
    allowedBy: () => false,
    seen: ["nothing"],
  },
  {
    mutation: "createServiceToken",
    input: ({ organization }) => ({ organizationId: organization.id, name: "CI", role: "EDIT" }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "revokeApiToken",
    input: ({ tokens }, name) => ({ apiTokenId: tokens[name] }),
    allowedBy: () => true,
    seen: [],
  },
  {
    mutation: "revokeApiToken",
    how: "of somebody else",
    input: ({ tokens }, name) => ({ apiTokenId: tokens[name === "admin" ? "editor" : "admin"] }),
    allowedBy: () => false,
    seen: ["nothing"],
  },
];
