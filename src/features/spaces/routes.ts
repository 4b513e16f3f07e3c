// The /v1 operations on spaces (spec 1, sections 4.2 and 4.3).
import type { Route } from "#src/rest/route.ts";

/** A space as REST answers it; sites use it for the spaces placed on them. */
export const spaceFields = /* GraphQL */ `
  fragment SpaceFields on Space {
    object
    id
    title
    emoji
    visibility
    createdAt
    updatedAt
    deletedAt
    editMode
    organization: organizationId
    parent: parentId
    revision: revisionId
    defaultLevel
    gitSync {
      repoName
      installationProvider
      integration
      url
      updatedAt
    }
    visitorAuth {
      backend
    }
    comments: commentCount
    changeRequests: changeRequestCount
    changeRequestsOpen: openChangeRequestCount
    changeRequestsDraft: draftChangeRequestCount
    urls {
      location
      app
      published
      public
      icon
    }
    permissions {
      view
      access
      admin
      viewInviteLinks
      edit
      triggerGitSync
      comment
      merge
      review
    }
  }
`;

export const spaceRoutes: readonly Route[] = [
  {
    operationId: "getSpace",
    method: "GET",
    path: "/v1/spaces/{spaceId}",
    summary: "Get a space",
    noun: "space",
    query: { shareKey: "Secret key of the link, which opens a share-link space." },
    answer: ["space"],
    document: /* GraphQL */ `
      query GetSpace($spaceId: ID!, $shareKey: String) {
        space(id: $spaceId, shareKey: $shareKey) {
          ...SpaceFields
        }
      }
      ${spaceFields}
    `,
  },
  {
    operationId: "listCollectionSpaces",
    method: "GET",
    path: "/v1/collections/{collectionId}/spaces",
    summary: "List the spaces of a collection",
    noun: "collection",
    list: true,
    answer: ["collection", "spaces"],
    document: /* GraphQL */ `
      query ListCollectionSpaces($collectionId: ID!, $first: Int, $after: String) {
        collection(id: $collectionId) {
          spaces(first: $first, after: $after) {
            totalCount
            nodes {
              ...SpaceFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${spaceFields}
    `,
  },
];
