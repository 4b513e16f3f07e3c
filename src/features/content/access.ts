// Permissions of a viewer on the content of a space and of its change requests.
import { onSpace } from "#src/features/spaces/access.ts";

/** Edits of any content. A locked space is not a matter of permissions: `lockContent` rejects it. */
export const mayEditContent = onSpace("edit", "content.edit", "You need the role edit on a space to edit its content.");

export const mayUploadFile = onSpace(
  "edit",
  "file.upload",
  "You need the role edit on a space to upload a file to it.",
);

export const mayRestoreRevision = onSpace(
  "edit",
  "revision.restore",
  "You need the role edit on a space to restore a revision of its content.",
);

export const mayApplyTemplate = onSpace(
  "edit",
  "content.template",
  "You need the role edit on a space to apply a template to its content.",
);
