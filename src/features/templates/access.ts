// Who may apply a template to the content of a space and of its change requests.
import { onSpace } from "#src/features/spaces/access.ts";

export const mayApplyTemplate = onSpace(
  "edit",
  "content.template",
  "You need the role edit on a space to apply a template to its content.",
);
