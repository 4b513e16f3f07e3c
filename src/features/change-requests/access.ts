// Permissions of a viewer on change requests: the flags of `permissions`.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { actionsOn } from "#src/domain/change.ts";
import { onSpace, spacePermissions } from "#src/features/spaces/access.ts";

export interface SeenChangeRequest {
  readonly space: ItemRoleParts;
  readonly createdById: string;
}

/** The author may change subject, status and reviews. `isAsked`: a review was requested from the viewer at any time. */
export function changeRequestPermissions(
  viewer: Viewer,
  { space, createdById, isAsked = false }: SeenChangeRequest & { readonly isAsked?: boolean },
) {
  const { access, edit, comment, merge, review } = spacePermissions(viewer, space);
  const isAuthor = access && createdById === viewer.userId;
  return {
    view: access,
    edit,
    update: review || isAuthor,
    comment,
    requestReviews: edit || isAuthor,
    review: !isAuthor && (review || (comment && isAsked)),
    merge,
  };
}

const onChangeRequest = actionsOn(changeRequestPermissions);

export const mayCreateChangeRequest = onSpace(
  "edit",
  "changeRequest.create",
  "You need the role edit on a space to propose changes to it.",
);

export const mayUpdateChangeRequest = onChangeRequest(
  "update",
  "changeRequest.update",
  "Only the author and users with the role review on the space may change a change request.",
);

/** Ignores the lock of the space: merges are allowed into locked spaces. */
export const mayMergeChangeRequest = onSpace(
  "merge",
  "changeRequest.merge",
  "You need the role review on a space to merge change requests into it.",
);

export const mayPullChangeRequestUpdates = onSpace(
  "edit",
  "changeRequest.pullUpdates",
  "You need the role edit on a space to update its change requests.",
);

export const mayResolveConflicts = onSpace(
  "edit",
  "changeRequest.resolveConflicts",
  "You need the role edit on a space to resolve conflicts of its change requests.",
);
