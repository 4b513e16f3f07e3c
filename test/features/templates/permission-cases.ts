// Permission cases of templates with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "applyTemplate",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, template: "BLANK" }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "applyTemplate",
    how: "in a change request",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id }, template: "BLANK" }),
    allowedBy: ["space.edit"],
    seen: ["changeRequest"],
  },
];
