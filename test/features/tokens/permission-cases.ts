// Permission cases of API tokens: the user's own, and one of another user.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { ApiToken: "graph.test.ts: visible to their user" };

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
    how: "of another user",
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
    how: "of another user",
    input: ({ tokens }, name) => ({ apiTokenId: tokens[name === "admin" ? "editor" : "admin"] }),
    allowedBy: () => false,
    seen: ["nothing"],
  },
];
