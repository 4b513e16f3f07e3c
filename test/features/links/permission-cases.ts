// What everybody tries with links, and the flags that stand for it.
import type { Deed } from "#test/support/access/fixture.ts";

export const deeds: readonly Deed[] = [
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
