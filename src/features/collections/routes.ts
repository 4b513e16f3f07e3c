// The /v1 operations on collections (spec 1, section 4.2).
import type { Route } from "#src/rest/route.ts";

const collectionFields = /* GraphQL */ `
  fragment CollectionFields on Collection {
    object
    id
    title
    description
    organization: organizationId
    parent: parentId
    defaultLevel
    urls {
      location
      app
    }
    permissions {
      view
      admin
      viewInviteLinks
      create
    }
  }
`;

export const collectionRoutes: readonly Route[] = [
  {
    operationId: "getCollection",
    method: "GET",
    path: "/v1/collections/{collectionId}",
    summary: "Get a collection",
    noun: "collection",
    answer: ["collection"],
    document: /* GraphQL */ `
      query GetCollection($collectionId: ID!) {
        collection(id: $collectionId) {
          ...CollectionFields
        }
      }
      ${collectionFields}
    `,
  },
  {
    operationId: "listOrganizationCollections",
    method: "GET",
    path: "/v1/orgs/{organizationId}/collections",
    summary: "List the collections of an organization",
    noun: "organization",
    list: true,
    query: { nested: "Whether collections inside other collections are listed too." },
    answer: ["organization", "collections"],
    document: /* GraphQL */ `
      query ListOrganizationCollections($organizationId: ID!, $nested: Boolean! = true, $first: Int, $after: String) {
        organization(id: $organizationId) {
          collections(nested: $nested, first: $first, after: $after) {
            totalCount
            nodes {
              ...CollectionFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${collectionFields}
    `,
  },
];
