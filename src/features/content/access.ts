// What a viewer may do with the content of a space and of its change requests.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

/**
 * Edits of the main content and of change requests. Locked spaces are no matter of rights: `lockContent` refuses them.
 */
export const mayEditContent: Action<ItemRoleParts> = {
  name: "content.edit",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to edit its content.",
};

export const mayUploadFile: Action<ItemRoleParts> = {
  name: "file.upload",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to upload a file to it.",
};

export const mayRestoreRevision: Action<ItemRoleParts> = {
  name: "revision.restore",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to restore a revision of its content.",
};
