// The /v1 operations on collections (spec 1, section 4.2).
import { besideForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

const collectionFields = `
  fragment CollectionFields on Collection {
    object id title description organization: organizationId parent: parentId defaultLevel
    urls { location app }
    permissions { view admin viewInviteLinks create }
  }
`;

export const contentPosition = {
  description: "Its place there; behind everything else when left out.",
  notNull: true,
  form: besideForm(
    [
      { type: "collection", idName: "collection", kind: "Collection", description: "Id of the collection." },
      { type: "space", idName: "space", kind: "Space", description: "Id of the space." },
    ],
    "Whether it is a space or a collection.",
  ),
} as const;

const tag = { name: "collections", description: "Groups of spaces." };

export const collectionRoutes = defineRoutes(() => tag, {
  getCollection: {
    request: "GET /v1/collections/{collectionId}",
    summary: "Get a collection",
    answer: ["collection"],
    fields: collectionFields,
  },
  listOrganizationCollections: {
    request: "GET /v1/orgs/{organizationId}/collections",
    summary: "List the collections of an organization",
    list: true,
    query: { nested: "Whether collections inside other collections are listed too." },
    answer: ["organization", "collections"],
    fields: collectionFields,
  },
  createCollection: {
    request: "POST /v1/orgs/{organizationId}/collections",
    summary: "Create a collection",
    body: {
      title: "Title, at most 50 characters; `Untitled` when left out.",
      parent: "Id of the collection to make it in; the top of the organization when left out.",
    },
    success: 201,
    answer: ["createCollection", "collection"],
    fields: collectionFields,
  },
  updateCollection: {
    request: "PATCH /v1/collections/{collectionId}",
    summary: "Change a collection",
    body: {
      title: "Title, at most 50 characters.",
      description: { description: "Description, at most 100 characters.", notNull: true },
      defaultLevel: "Default role of members on everything inside; null takes that of the collection around it.",
    },
    answer: ["updateCollection", "collection"],
    fields: collectionFields,
  },
  deleteCollection: {
    request: "DELETE /v1/collections/{collectionId}",
    summary: "Delete a collection; what is inside moves up to its place",
    answer: ["deleteCollection", "deletedId"],
  },
  moveCollection: {
    request: "POST /v1/collections/{collectionId}/move",
    summary: "Move a collection within its organization",
    body: {
      parent: {
        description: "Id of the collection to move it into; null is the top, and left out it stays in its parent.",
        mayBeNull: true,
      },
      position: contentPosition,
    },
    named: { place: "position" },
    answer: ["moveCollection", "collection"],
    fields: collectionFields,
  },
  transferCollection: {
    request: "POST /v1/collections/{collectionId}/transfer",
    summary: "Hand a collection to another organization",
    body: { organization: "Id of the organization that receives it." },
    answer: ["transferCollection", "collection"],
    fields: collectionFields,
  },
});
