// What a viewer may do with change requests.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { onSpace, spacePermissions } from "#src/features/spaces/access.ts";

export const mayCreateChangeRequest = onSpace(
  "edit",
  "changeRequest.create",
  "You need the role edit on a space to propose changes to it.",
);

/** Its subject and status. Its author may go on with it as long as they see it, whatever their role is now. */
export const mayUpdateChangeRequest: Action<{ space: ItemRoleParts; createdById: string }> = {
  name: "changeRequest.update",
  isAllowed: ({ viewer }, { space, createdById }) => {
    const { access, review } = spacePermissions(viewer, space);
    return review || (access && createdById === viewer.userId);
  },
  refusal: "Only its author, and those with the role review on the space, may change a change request.",
};

/** Whether the space is locked does not matter: merges go into locked spaces, too. */
export const mayMergeChangeRequest = onSpace(
  "merge",
  "changeRequest.merge",
  "You need the role review on a space to merge change requests into it.",
);

/** As edits of its content. */
export const mayPullChangeRequestUpdates = onSpace(
  "edit",
  "changeRequest.pullUpdates",
  "You need the role edit on a space to update its change requests.",
);

/** As edits of its content. */
export const mayResolveConflicts = onSpace(
  "edit",
  "changeRequest.resolveConflicts",
  "You need the role edit on a space to resolve conflicts of its change requests.",
);
