// Who may import into the content of a space and of its change requests.
import { onSpace } from "#src/features/spaces/access.ts";

export const mayImportContent = onSpace(
  "edit",
  "content.import",
  "You need the role edit on a space to import content into it.",
);
