// Mutations on collections.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import {
  collectionTexts,
  createCollection,
  deleteCollection,
  updateCollection,
} from "#src/features/collections/commands/collection.ts";
import { moveCollection, transferCollection } from "#src/features/collections/commands/move.ts";
import { collections, collectionsOfOrganization } from "#src/features/collections/reads.ts";
import { contentPlace } from "#src/features/collections/type.ts";
import type { ObjectFields } from "#src/graph/schema/builder.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

/** The payload of a mutation that deletes a collection or space. */
export const deletedContent = (t: ObjectFields<Awaited<ReturnType<typeof deleteCollection>>>) => ({
  ...deletedPayload(t),
  organization: t.rowOrNull(
    organizations,
    "organizationId",
    "The organization in which it was; null if it did not exist, and for viewers outside the organization.",
  ),
  parent: t.rowOrNull(collections, "parentId", "The collection in which it was; null at the top level."),
});

const payload = (description: string) => rowPayload("collection", collections, description);

defineMutation({
  name: "createCollection",
  description: "Creates a collection at the end of its parent. Requires the role `create` there.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({
      extensions: ofLength(collectionTexts.title),
      description: "Title, at most 50 characters; `Untitled` by default.",
    }),
    parentId: t.id({ description: "Id of the parent collection; by default the top level of the organization." }),
  }),
  run: (input, context) => createCollection(context, input),
  payload: createdPayload("collection", collectionsOfOrganization, {
    description: "The new collection.",
    in: "Organization.collections",
    args: { nested: true },
  }),
});

defineMutation({
  name: "updateCollection",
  description: "Changes a collection; omitted fields stay unchanged. Requires the role `admin` on it.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    title: t.string({ extensions: ofLength(collectionTexts.title), description: "Title, at most 50 characters." }),
    description: t.string({
      extensions: ofLength(collectionTexts.description),
      description: "Description, at most 100 characters; null clears it.",
    }),
    defaultLevel: t.field({
      type: Role,
      description: "Default role of members on all content inside; null inherits that of the parent collection.",
    }),
  }),
  run: ({ collectionId: id, ...fields }, context) => updateCollection(context, { id, ...fields }),
  payload: payload("The collection."),
});

defineMutation({
  name: "deleteCollection",
  description:
    "Deletes a collection, but not its content. Requires the role `admin` on it. Its children move up to its position, in their order, and access stays the same: children without a default level get that of the collection, and the roles granted on the collection are granted on all its children. Spaces visible with the collection that reach the top level become private and `openToMembers`.",
  input: (t) => ({ collectionId: t.id({ required: true, description: "Id of the collection." }) }),
  run: ({ collectionId }, context) => deleteCollection(context, collectionId),
  payload: deletedContent,
});

defineMutation({
  name: "moveCollection",
  description:
    "Moves a collection with all its content within its organization. Requires the role `admin` on it, and `create` on a new parent. INVALID_INPUT if the new parent is the collection itself or inside it.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    parentId: t.id({
      description: "Id of the new parent collection; null is the top level. By default it stays in its parent.",
    }),
    ...contentPlace(t),
  }),
  run: ({ collectionId: id, ...where }, context) => moveCollection(context, { id, ...where }),
  payload: payload("The collection."),
});

defineMutation({
  name: "transferCollection",
  description:
    "Transfers a collection with all its content to the end of the top level of another organization. Requires the role `admin` on it, and `create` in both organizations. Roles granted to teams, and to users outside the receiving organization, are revoked. Its spaces are removed from the sites and the default content of the old organization. Has no effect if the collection already belongs to that organization.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    organizationId: t.id({ required: true, description: "Id of the receiving organization." }),
  }),
  run: ({ collectionId: id, organizationId }, context) => transferCollection(context, { id, organizationId }),
  payload: payload("The collection."),
});
