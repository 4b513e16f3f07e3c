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
  "Whether members who are no guests have their role in the organization on it, by a PRIVATE space, and only there; false where a visibility is given.";
const payload = (description: string) => rowPayload("space", spaces, description);

/** For a space that comes into the lists. */
const newPayload = (description: string) =>
  createdPayload("space", spacesOfOrganization, { description, in: "Organization.spaces", args: { nested: true } });

defineMutation({
  name: "createSpace",
  description: "Creates an empty space behind everything else in its place. Needs the role `create` there.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({
      extensions: ofLength(spaceTexts.title),
      description: "Title, at most 50 characters; `Untitled` when left out.",
    }),
    emoji: t.string({
      extensions: ofLength(spaceTexts.emoji),
      description: "An emoji, at most 50 characters: empty for none; a blue book when left out.",
    }),
    parentId: t.id({ description: "Id of the collection to make it in; the top of the organization when left out." }),
    visibility: t.field({
      type: SpaceVisibility,
      description:
        "Who may view it. Left out it is IN_COLLECTION in a collection, which is for spaces there only, and at the top PRIVATE and `openToMembers`.",
    }),
    openToMembers: t.boolean({ description: openToMembers }),
    defaultLevel: t.field({
      type: Role,
      description:
        "Default role of members on it, at most the viewer's own; null takes that of the collection around it.",
    }),
  }),
  run: (input, context) => createSpace(context, input),
  payload: newPayload("The new space."),
});

defineMutation({
  name: "updateSpace",
  description: "Changes a space: the fields that are given. Needs the role `admin` on it.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    title: t.string({ extensions: ofLength(spaceTexts.title), description: "Title, at most 50 characters." }),
    emoji: t.string({
      extensions: ofLength(spaceTexts.emoji),
      description: "An emoji, at most 50 characters; empty for none.",
    }),
    editMode: t.field({ type: SpaceEditMode, description: "Whether its main content may be edited." }),
    defaultLevel: t.field({
      type: Role,
      description: "Default role of members on it; null takes that of the collection around it.",
    }),
    searchLanguage: t.field({
      type: SearchLanguage,
      description: "The language of its texts, in whose other forms words are found, too; null for none.",
    }),
    freezesComputed: t.boolean({
      description:
        "Whether a new version of what its computed pages are made from becomes a revision of its own; otherwise the active revision follows it.",
    }),
    visibility: t.field({
      type: SpaceVisibility,
      description:
        "Who may view it; IN_COLLECTION only in a collection. A space that becomes SHARE_LINK gets a new secret key. One that becomes PRIVATE is closed to members unless `openToMembers` is given, too; the viewer who closes it keeps `admin` by a grant.",
    }),
    openToMembers: t.boolean({ description: openToMembers }),
  }),
  run: ({ spaceId: id, ...fields }, context) => updateSpace(context, { id, ...fields }),
  payload: payload("The space."),
});

defineMutation({
  name: "rotateShareKey",
  description:
    "Gives a share-link space another secret key: links with the one before stop working at once. Needs the role `admin` on it. CONFLICT for a space of another visibility.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => rotateShareKey(context, spaceId),
  payload: payload("The space; admins read the new link as its `shareLink`."),
});

defineMutation({
  name: "deleteSpace",
  description:
    "Deletes a space: it is out of every list at once, and removed for good seven days later. Needs the role `admin` on it. Until then `restoreSpace` brings it back to its place.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => deleteSpace(context, spaceId),
  payload: deletedContent,
});

defineMutation({
  name: "restoreSpace",
  description:
    "Brings back a space that was deleted within the last seven days. Needs the role `admin` on it. CONFLICT for one that is not deleted.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => restoreSpace(context, spaceId),
  payload: newPayload("The space."),
});

defineMutation({
  name: "duplicateSpace",
  description:
    "Copies a space, right behind it: its settings and its present content, and not its change requests, comments, grants, synchronisation and the secret of its link. Needs the role `create` in its place.",
  input: (t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) }),
  run: ({ spaceId }, context) => duplicateSpace(context, spaceId),
  payload: newPayload("The copy."),
});

defineMutation({
  name: "moveSpace",
  description:
    "Moves a space within its organization. Needs the role `admin` on it, and `create` where it comes into another parent. Visible with its collection, it becomes private at the top, and `openToMembers`.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    parentId: t.id({
      description: "Id of the collection to move it into; null is the top, and left out it stays in its parent.",
    }),
    ...contentPlace(t),
  }),
  run: ({ spaceId: id, ...where }, context) => moveSpace(context, { id, ...where }),
  payload: payload("The space."),
});

defineMutation({
  name: "transferSpace",
  description:
    "Transfers a space to another organization, where it comes last at the top. Needs the role `admin` on it, and `create` in both organizations. Visible " +
    "with its collection, it becomes private, and `openToMembers` there. Roles granted to teams, and to people who are not there, are revoked. It leaves the sites and the " +
    "default content of the organization that it leaves. Where it already belongs to that organization, nothing changes.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    organizationId: t.id({ required: true, description: "Id of the organization that receives it." }),
  }),
  run: ({ spaceId: id, organizationId }, context) => transferSpace(context, { id, organizationId }),
  payload: payload("The space."),
});
