// What everybody tries with change requests, and the flags that stand for it. The one of the stage is by the editor.
import { type Deed, flag } from "#test/support/stage.ts";

export const onChangeRequests: readonly Deed[] = [
  {
    mutation: "createChangeRequest",
    input: ({ space }) => ({ spaceId: space.id }),
    stands: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "updateChangeRequest",
    input: ({ space, changeRequest }) => ({
      spaceId: space.id,
      changeRequestId: changeRequest.id,
      status: "ARCHIVED",
    }),
    stands: (name, flags) => flag(flags, "space.review") || (name === "editor" && flag(flags, "space.access")),
    seen: ["space", "changeRequest"],
  },
];
