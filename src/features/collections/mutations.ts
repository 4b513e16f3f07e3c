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
    "The organization that it was in; null when it was not there, and for those outside it.",
  ),
  parent: t.rowOrNull(collections, "parentId", "The collection that it was in; null at the top."),
});

const payload = (description: string) => rowPayload("collection", collections, description);

defineMutation({
  name: "createCollection",
  description: "Creates a collection behind everything else in its place. Needs the role `create` there.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({
      extensions: ofLength(collectionTexts.title),
      description: "Title, at most 50 characters; `Untitled` when left out.",
    }),
    parentId: t.id({ description: "Id of the collection to make it in; the top of the organization when left out." }),
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
  description: "Changes a collection: the fields that are given. Needs the role `admin` on it.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    title: t.string({ extensions: ofLength(collectionTexts.title), description: "Title, at most 50 characters." }),
    description: t.string({
      extensions: ofLength(collectionTexts.description),
      description: "Description, at most 100 characters; null empties it.",
    }),
    defaultLevel: t.field({
      type: Role,
      description: "Default role of members on everything inside; null takes that of the collection around it.",
    }),
  }),
  run: ({ collectionId: id, ...fields }, context) => updateCollection(context, { id, ...fields }),
  payload: payload("The collection."),
});

defineMutation({
  name: "deleteCollection",
  description:
    "Deletes a collection, and nothing inside it. Needs the role `admin` on it. What is inside moves up to its place, in its order, and nobody's access changes: what has no default level of its own takes that of the collection, and the roles granted on the collection are granted on everything directly inside it. Spaces visible with the collection that come to the top become private, and `openToMembers`.",
  input: (t) => ({ collectionId: t.id({ required: true, description: "Id of the collection." }) }),
  run: ({ collectionId }, context) => deleteCollection(context, collectionId),
  payload: deletedContent,
});

defineMutation({
  name: "moveCollection",
  description:
    "Moves a collection, with everything inside it, within its organization. Needs the role `admin` on it, and `create` where it comes into another parent. It never comes into itself or what is inside it.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    parentId: t.id({
      description: "Id of the collection to move it into; null is the top, and left out it stays in its parent.",
    }),
    ...contentPlace(t),
  }),
  run: ({ collectionId: id, ...where }, context) => moveCollection(context, { id, ...where }),
  payload: payload("The collection."),
});

defineMutation({
  name: "transferCollection",
  description:
    "Transfers a collection, with everything inside it, to another organization, where it comes last at the top. Needs the role `admin` on it, and `create` in both organizations. Roles granted to teams, and to people who are not there, are revoked. Its spaces leave the sites and the default content of the organization that they leave. Where it already belongs to that organization, nothing changes.",
  input: (t) => ({
    collectionId: t.id({ required: true, description: "Id of the collection." }),
    organizationId: t.id({ required: true, description: "Id of the organization that receives it." }),
  }),
  run: ({ collectionId: id, organizationId }, context) => transferCollection(context, { id, organizationId }),
  payload: payload("The collection."),
});
