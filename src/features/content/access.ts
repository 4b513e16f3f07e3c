// What a viewer may do with the content of a space and of its change requests.
import type { Action } from "#src/domain/change.ts";
import { spacePermissions, type SpaceRoleParts } from "#src/features/spaces/access.ts";

/** Edits of the main content and of change requests alike. Whether the space is locked is no right, but its state. */
export const editContent: Action<SpaceRoleParts> = {
  name: "content.edit",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to edit its content.",
};

export const importContent: Action<SpaceRoleParts> = {
  name: "content.import",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to import content into it.",
};

export const uploadFile: Action<SpaceRoleParts> = {
  name: "file.upload",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to upload a file to it.",
};

export const restoreRevision: Action<SpaceRoleParts> = {
  name: "revision.restore",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to restore a revision of its content.",
};
