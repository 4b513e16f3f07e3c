// What a viewer may do with change requests.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

export const mayCreateChangeRequest: Action<ItemRoleParts> = {
  name: "changeRequest.create",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to propose changes to it.",
};

/** Its subject and status. Who wrote it may go on with it while they see it, whatever their role is now. */
export const mayUpdateChangeRequest: Action<{ space: ItemRoleParts; createdById: string }> = {
  name: "changeRequest.update",
  isAllowed: ({ viewer }, { space, createdById }) => {
    const { access, review } = spacePermissions(viewer, space);
    return review || (access && createdById === viewer.userId);
  },
  refusal: "Only its author, and those with the role review on the space, may change a change request.",
};

/** Stands on the flag `merge` of the space. Whether the space is locked is no right, and does not stop merges. */
export const mayMergeChangeRequest: Action<ItemRoleParts> = {
  name: "changeRequest.merge",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).merge,
  refusal: "You need the role review on a space to merge change requests into it.",
};

/** As edits of its content. */
export const mayPullChangeRequestUpdates: Action<ItemRoleParts> = {
  name: "changeRequest.pullUpdates",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to update its change requests.",
};

/** As edits of its content. */
export const mayResolveConflicts: Action<ItemRoleParts> = {
  name: "changeRequest.resolveConflicts",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to resolve conflicts of its change requests.",
};
