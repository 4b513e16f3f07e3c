// The /v1 operations on spaces (spec 1, sections 4.2 and 4.3).
import { contentPosition } from "#src/features/collections/routes.ts";
import { mergeRules } from "#src/features/organizations/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

/** The REST form of a space; sites use it for the spaces placed on them. */
export const spaceFields = `
  fragment SpaceFields on Space {
    object id title emoji visibility createdAt updatedAt deletedAt editMode organization: organizationId
    parent: parentId revision: revisionId defaultLevel gitSync: __typename mergeRules: __typename
    visitorAuth { backend }
    comments: commentCount changeRequests: changeRequestCount changeRequestsOpen: openChangeRequestCount
    changeRequestsDraft: draftChangeRequestCount
    urls { location app published public icon: __typename }
    permissions { view access admin viewInviteLinks edit triggerGitSync comment merge review installIntegration: admin }
  }
`;

// docgraph does not synchronise spaces with repositories, and has no pictures of spaces.
defineRestFields("Space", {
  mergeRules,
  gitSync: {
    description:
      "The repository it is synchronised with, for users with a role on it; docgraph does not synchronise spaces.",
    schema: {
      type: "object",
      properties: {
        repoName: { type: "string", description: "Name of the repository." },
        installationProvider: {
          type: "string",
          enum: ["github", "gitlab"],
          description: "The host of the repository.",
        },
        integration: { type: "string", description: "Name of the synchronising integration." },
        url: { type: "string", description: "Address of the repository." },
        updatedAt: { type: "string", format: "date-time", description: "Last synchronisation." },
      },
    },
  },
});
defineRestFields("SpaceUrls", {
  icon: { description: "A picture of it; spaces have only an emoji.", schema: { type: "string", format: "uri" } },
});

export const spaceTag = { name: "spaces", description: "Spaces, their position and their owner." };

const tags = { collections: { name: "collections", description: "Groups of spaces." }, spaces: spaceTag };

const tagOf = (path: string) => (path.startsWith("/v1/collections/") ? tags.collections : tags.spaces);

export const spaceRoutes = defineRoutes(tagOf, {
  getSpace: {
    request: "GET /v1/spaces/{spaceId}",
    summary: "Get a space",
    query: { shareKey: "Secret key of the link, which opens a share-link space and reveals its published address." },
    answer: ["space"],
    fields: spaceFields,
  },
  listCollectionSpaces: {
    request: "GET /v1/collections/{collectionId}/spaces",
    summary: "List the spaces of a collection",
    list: true,
    answer: ["collection", "spaces"],
    fields: spaceFields,
  },
  updateSpace: {
    request: "PATCH /v1/spaces/{spaceId}",
    summary: "Change a space",
    body: {
      title: "Title, at most 50 characters.",
      emoji: "An emoji, at most 50 characters; an empty text removes it.",
      editMode: "Whether its main content may be edited.",
      defaultLevel: "Default role of members on it; null inherits that of the parent collection.",
    },
    answer: ["updateSpace", "space"],
    fields: spaceFields,
  },
  deleteSpace: {
    request: "DELETE /v1/spaces/{spaceId}",
    summary: "Delete a space; it can be restored within seven days",
    answer: ["deleteSpace", "deletedId"],
  },
  duplicateSpace: {
    request: "POST /v1/spaces/{spaceId}/duplicate",
    summary: "Copy a space",
    success: 201,
    answer: ["duplicateSpace", "space"],
    fields: spaceFields,
  },
  restoreSpace: {
    request: "POST /v1/spaces/{spaceId}/restore",
    summary: "Restore a deleted space",
    conflict: "The space is not deleted.",
    answer: ["restoreSpace", "space"],
    fields: spaceFields,
  },
  moveSpace: {
    request: "POST /v1/spaces/{spaceId}/move",
    summary: "Move a space within its organization",
    body: {
      parent: {
        description: "Id of the collection to move it into; null is the top level. If absent, it stays in its parent.",
        mayBeNull: true,
      },
      position: contentPosition,
    },
    named: { place: "position" },
    answer: ["moveSpace", "space"],
    fields: spaceFields,
  },
  transferSpace: {
    request: "POST /v1/spaces/{spaceId}/transfer",
    summary: "Transfer a space to another organization",
    body: { organization: "Id of the receiving organization." },
    answer: ["transferSpace", "space"],
    fields: spaceFields,
  },
});

export const spaceAdditions = defineAdditions(() => spaceTag, {
  listSpacesInOrganizationById: {
    request: "GET /v1/orgs/{organizationId}/spaces",
    summary: "List the spaces of an organization, on all levels",
    list: true,
    answer: ["organization", "spaces"],
    fields: spaceFields,
  },
  createSpace: {
    request: "POST /v1/orgs/{organizationId}/spaces",
    summary: "Create a space",
    success: 201,
    body: {
      title: { description: "Title, at most 50 characters.", notNull: true },
      emoji: { description: "An emoji, at most 50 characters.", notNull: true },
      parent: "Id of the collection; by default, and for null, the top level of the organization.",
      visibility: { description: "Visibility; in-collection by default.", notNull: true },
      defaultLevel: "Default role of members on it; null inherits that of the parent collection.",
    },
    answer: ["createSpace", "space"],
    fields: spaceFields,
  },
});
