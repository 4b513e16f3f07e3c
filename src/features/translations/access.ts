// Who may see and keep translations: those with a role on their source see them, and whoever may create content in the
// organization may keep them.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { canCreateAt, type Destination } from "#src/features/collections/access.ts";
import { type InOrganization, organizationPermissions } from "#src/features/organizations/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

/** The flags of a translation that was read: `view` is true, since only what may be viewed is ever read. */
export function translationPermissions(viewer: Viewer, { organizationId }: InOrganization) {
  return { view: true, edit: organizationPermissions(viewer, organizationId).createContent };
}

const onTranslation = actionsOn(translationPermissions);

/** The translated space comes beside its source, as a copy of it would. */
export const mayCreateTranslation: Action<{ space: ItemRoleParts; to: Destination }> = {
  name: "translation.create",
  isAllowed: ({ viewer }, { space, to }) =>
    translationPermissions(viewer, space).edit && spacePermissions(viewer, space).access && canCreateAt(viewer, to),
  refusal: "You need the role create in an organization, and in the place of a space there, to translate the space.",
};

const refusal = "You need the role create in an organization to change its translations.";

export const mayUpdateTranslation = onTranslation("edit", "translation.update", refusal);
export const mayRunTranslation = onTranslation("edit", "translation.run", refusal);

/** A translation that is to be deleted, with its translated space where that is to be deleted, too. */
interface Deleting {
  readonly translation: InOrganization;
  readonly space: ItemRoleParts | null;
}

export const mayDeleteTranslation: Action<Deleting> = {
  name: "translation.delete",
  isAllowed: ({ viewer }, { translation, space }) =>
    translationPermissions(viewer, translation).edit && (space === null || spacePermissions(viewer, space).admin),
  refusal,
};
