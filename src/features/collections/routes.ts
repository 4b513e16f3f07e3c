// The /v1 operations on collections (spec 1, section 4.2).
import { besideForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

export const collectionFields = `
  fragment CollectionFields on Collection {
    object id title description organization: organizationId parent: parentId defaultLevel
    urls { location app }
    permissions { view admin viewInviteLinks create }
  }
`;

export const contentPosition = {
  description: "Position in the parent; at the end by default.",
  notNull: true,
  form: besideForm(
    [
      { type: "collection", idName: "collection", kind: "Collection", description: "Id of the collection." },
      { type: "space", idName: "space", kind: "Space", description: "Id of the space." },
    ],
    "Type of the item: space or collection.",
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
    query: { nested: "Whether to list nested collections, too." },
    answer: ["organization", "collections"],
    fields: collectionFields,
  },
  createCollection: {
    request: "POST /v1/orgs/{organizationId}/collections",
    summary: "Create a collection",
    body: {
      title: "Title, at most 50 characters; `Untitled` by default.",
      parent: "Id of the parent collection; by default the top level of the organization.",
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
      defaultLevel: "Default role of members on all content inside; null inherits that of the parent collection.",
    },
    answer: ["updateCollection", "collection"],
    fields: collectionFields,
  },
  deleteCollection: {
    request: "DELETE /v1/collections/{collectionId}",
    summary: "Delete a collection; its children move up to its position",
    answer: ["deleteCollection", "deletedId"],
  },
  moveCollection: {
    request: "POST /v1/collections/{collectionId}/move",
    summary: "Move a collection within its organization",
    body: {
      parent: {
        description: "Id of the new parent collection; null is the top level. By default it stays in its parent.",
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
    summary: "Transfer a collection to another organization",
    body: { organization: "Id of the receiving organization." },
    answer: ["transferCollection", "collection"],
    fields: collectionFields,
  },
});
