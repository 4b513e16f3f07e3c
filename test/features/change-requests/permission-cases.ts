// Permission cases of change requests with their flags. The change request of the fixture is the editor's.
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createChangeRequest",
    input: ({ space }) => ({ spaceId: space.id }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "updateChangeRequest",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, status: "ARCHIVED" }),
    allowedBy: ["changeRequest.update"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "updateChangeRequest",
    how: "its subject",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, subject: "Mine" }),
    allowedBy: ["changeRequest.update"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "updateChangeRequest",
    how: "without changes",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id }),
    allowedBy: ["changeRequest.update"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "mergeChangeRequest",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id }),
    allowedBy: ["changeRequest.merge"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "pullChangeRequestUpdates",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id }),
    allowedBy: ["changeRequest.edit"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "resolveConflicts",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, resolutions: [] }),
    allowedBy: ["changeRequest.edit"],
    seen: ["space", "changeRequest"],
  },
];
