// Who may import into the content of a space and of its change requests.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

export const mayImportContent: Action<ItemRoleParts> = {
  name: "content.import",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).edit,
  refusal: "You need the role edit on a space to import content into it.",
};
