// What a viewer may do with users: change themselves.
import type { Action } from "#src/domain/change.ts";

export const mayUpdateViewer: Action<null> = {
  name: "user.update",
  isAllowed: () => true, // nobody else is ever named
  refusal: "You may not change this user.",
};
