// Permissions on imports into the content of a space and of its change requests.
import type { Action } from "#src/domain/change.ts";
import { onSpace } from "#src/features/spaces/access.ts";

export const mayImportContent = onSpace(
  "edit",
  "content.import",
  "You need the role edit on a space to import content into it.",
);

export const mayCancelImport = onSpace(
  "edit",
  "import.cancel",
  "You need the role edit on a space to cancel an import into it.",
);

/** The row of an import is written as the user who started it; writing to the content is checked separately. */
export const mayRunImport: Action<{ createdById: string }> = {
  name: "import.run",
  isAllowed: ({ viewer }, { createdById }) => viewer.userId === createdById,
  refusal: "An import runs only as the user who started it.",
};
