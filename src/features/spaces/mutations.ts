// Mutations on spaces.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { deletedContent } from "#src/features/collections/mutations.ts";
import { contentPlace } from "#src/features/collections/type.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { rotateShareKey } from "#src/features/spaces/commands/audience.ts";
import { createSpace, duplicateSpace, spaceTexts, updateSpace } from "#src/features/spaces/commands/space.ts";
import { deleteSpace, restoreSpace } from "#src/features/spaces/commands/delete.ts";
import { moveSpace, transferSpace } from "#src/features/spaces/commands/move.ts";
import { spaces, spacesOfOrganization } from "#src/features/spaces/reads.ts";
import { SearchLanguage, SpaceEditMode, SpaceVisibility } from "#src/features/spaces/type.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

const openToMembers =
  "Whether members, except guests, have their role in the organization on it. Only for PRIVATE spaces; false by default if a visibility is given.";
const payload = (description: string) => rowPayload("space", spaces, description);

/** The payload for a space that is added to lists. */
const newPayload = (description: string) =>
  createdPayload("space", spacesOfOrganization, { description, in: "Organization.spaces", args: { nested: true } });

defineMutation({
  name: "createSpace",
  description: "Creates an empty space at the end of its parent. Needs the role `create` there.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({
      extensions: ofLength(spaceTexts.title),
      description: "Title, at most 50 characters; `Untitled` by default.",
    }),
    emoji: t.string({
      extensions: ofLength(spaceTexts.emoji),
      description: "An emoji, at most 50 characters; an empty text means no emoji. A blue book by default.",
    }),
    parentId: t.id({ description: "Id of the parent collection; the top level of the organization by default." }),
    visibility: t.field({
      type: SpaceVisibility,
      description:
        "Visibility. The default is IN_COLLECTION in a collection, which is only allowed there; at the top level PRIVATE and `openToMembers`.",
    }),
    openToMembers: t.boolean({ description: openToMembers }),
    defaultLevel: t.field({
      type: Role,
      description:
        "Default role of members on it, at most the viewer's own; null inherits that of the parent collection.",
    }),
  }),
  run: (input, context) => createSpace(context, input),
  payload: newPayload("The new space."),
});

defineMutation({
  name: "updateSpace",
  description: "Changes the given fields of a space. Needs the role `admin` on it.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    title: t.string({ extensions: ofLength(spaceTexts.title), description: "Title, at most 50 characters." }),
    emoji: t.string({
      extensions: ofLength(spaceTexts.emoji),
      description: "An emoji, at most 50 characters; an empty text removes it.",
    }),
    editMode: t.field({ type: SpaceEditMode, description: "Whether its main content may be edited." }),
    defaultLevel: t.field({
      type: Role,
      description: "Default role of members on it; null inherits that of the parent collection.",
    }),
    searchLanguage: t.field({
      type: SearchLanguage,
      description:
        "The language of its texts, by whose rules search also matches other forms of words; null matches words literally.",
    }),
    freezesComputed: t.boolean({
      description:
        "Whether a new version of the sources of its computed pages creates a new revision; otherwise the active revision is updated.",
    }),
    visibility: t.field({
      type: SpaceVisibility,
      description:
        "Visibility; IN_COLLECTION is only allowed in a collection. A space that becomes SHARE_LINK gets a new secret key. A space that becomes PRIVATE is closed to members unless `openToMembers` is true; the viewer who closes it keeps `admin` by a grant.",
    }),
    openToMembers: t.boolean({ description: openToMembers }),
  }),
  run: ({ spaceId: id, ...fields }, context) => updateSpace(context, { id, ...fields }),
  payload: payload("The space."),
});

defineMutation({
  name: "rotateShareKey",
  description:
    "Replaces the secret key of a share-link space: links with the former key stop working at once. Needs the role `admin` on it. CONFLICT if the space has another visibility.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => rotateShareKey(context, spaceId),
  payload: payload("The space; admins read the new link in `shareLink`."),
});

defineMutation({
  name: "deleteSpace",
  description:
    "Deletes a space: it disappears from all lists at once, and is permanently removed seven days later. Until then `restoreSpace` restores it to its place. Needs the role `admin` on it.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => deleteSpace(context, spaceId),
  payload: deletedContent,
});

defineMutation({
  name: "restoreSpace",
  description:
    "Restores a space that was deleted within the last seven days. Needs the role `admin` on it. CONFLICT if the space is not deleted.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => restoreSpace(context, spaceId),
  payload: newPayload("The space."),
});

defineMutation({
  name: "duplicateSpace",
  description:
    "Copies a space to the position right after it: its settings and current content, without change requests, comments, grants, synchronisation and the secret of its link. Needs the role `create` on its parent.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => duplicateSpace(context, spaceId),
  payload: newPayload("The copy."),
});

defineMutation({
  name: "moveSpace",
  description:
    "Moves a space within its organization. Needs the role `admin` on it, and `create` on a new parent. At the top level, a space visible with its collection becomes private and `openToMembers`.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    parentId: t.id({
      description: "Id of the collection to move it into; null is the top level. If absent, it stays in its parent.",
    }),
    ...contentPlace(t),
  }),
  run: ({ spaceId: id, ...where }, context) => moveSpace(context, { id, ...where }),
  payload: payload("The space."),
});

defineMutation({
  name: "transferSpace",
  description:
    "Transfers a space to the end of the top level of another organization. Needs the role `admin` on it, and `create` in both organizations. If visible " +
    "with its collection, it becomes private and `openToMembers` there. Grants of teams, and of people who are not there, are revoked. It is removed from the sites and the " +
    "default content of its former organization. Changes nothing if it already belongs to that organization.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    organizationId: t.id({ required: true, description: "Id of the receiving organization." }),
  }),
  run: ({ spaceId: id, organizationId }, context) => transferSpace(context, { id, organizationId }),
  payload: payload("The space."),
});
