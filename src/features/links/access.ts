// Who may repair the links of the content of a space and of its change requests.
import { onSpace } from "#src/features/spaces/access.ts";

export const mayRepairLinks = onSpace(
  "edit",
  "content.repairLinks",
  "You need the role edit on a space to repair the links of its content.",
);
