// Permission cases of links with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "repairLinks",
    input: ({ space }) => ({ contentOf: { spaceId: space.id } }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "repairLinks",
    how: "of a change request",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id } }),
    allowedBy: ["space.edit"],
    seen: ["changeRequest"],
  },
];
