// Access to translations, by roles on their source, and to glossaries. The role `create` allows changes of both.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { canCreateAt, type Destination } from "#src/features/collections/access.ts";
import { type InOrganization, organizationPermissions } from "#src/features/organizations/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

/** The flags of a visible translation or term. */
export function translationPermissions(viewer: Viewer, { organizationId }: InOrganization) {
  return { view: true, edit: organizationPermissions(viewer, organizationId).createContent };
}

const onContent = actionsOn(translationPermissions);

/** The translated space is created beside its source. */
export const mayCreateTranslation: Action<{ space: ItemRoleParts; to: Destination }> = {
  name: "translation.create",
  isAllowed: ({ viewer }, { space, to }) =>
    translationPermissions(viewer, space).edit && spacePermissions(viewer, space).access && canCreateAt(viewer, to),
  refusal: "You need the role create in the organization, and on the parent of the space, to translate the space.",
};

const refusal = "You need the role create in an organization to change its translations.";

export const mayUpdateTranslation = onContent("edit", "translation.update", refusal);
export const mayRunTranslation = onContent("edit", "translation.run", refusal);

interface Deleting {
  readonly translation: InOrganization;
  /** The translated space, even if it is deleted. */
  readonly space: ItemRoleParts | null;
}

export const mayDeleteTranslation: Action<Deleting> = {
  name: "translation.delete",
  isAllowed: ({ viewer }, { translation, space }) =>
    translationPermissions(viewer, translation).edit && (space === null || spacePermissions(viewer, space).admin),
  refusal,
};

const glossaryRefusal = "You need the role create in an organization to change its glossary.";

export const mayCreateTerm = onContent("edit", "glossary.create", glossaryRefusal);
export const mayUpdateTerm = onContent("edit", "glossary.update", glossaryRefusal);
export const mayDeleteTerm = onContent("edit", "glossary.delete", glossaryRefusal);
