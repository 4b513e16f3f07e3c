// Who may keep the glossary of an organization: its members see it, and whoever may create content there changes it.
import type { Viewer } from "#src/access/viewer.ts";
import { actionsOn } from "#src/domain/change.ts";
import { type InOrganization, organizationPermissions } from "#src/features/organizations/access.ts";

/** The flags of a term that was read: `view` is true, since only what may be viewed is ever read. */
export function glossaryPermissions(viewer: Viewer, { organizationId }: InOrganization) {
  return { view: true, edit: organizationPermissions(viewer, organizationId).createContent };
}

const onGlossary = actionsOn(glossaryPermissions);
const refusal = "You need the role create in an organization to change its glossary.";

export const mayCreateTerm = onGlossary("edit", "glossary.create", refusal);
export const mayUpdateTerm = onGlossary("edit", "glossary.update", refusal);
export const mayDeleteTerm = onGlossary("edit", "glossary.delete", refusal);
