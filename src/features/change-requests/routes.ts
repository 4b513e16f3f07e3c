// The /v1 operations on change requests (spec 2, section 4.7).
import type { Route } from "#src/rest/route.ts";

const changeRequestFields = /* GraphQL */ `
  fragment ChangeRequestFields on ChangeRequest {
    object
    id
    number
    status
    subject
    createdBy {
      object
      id
      displayName
      email
      photoURL
      urls {
        location
      }
    }
    createdAt
    updatedAt
    revision: revisionId
    revisionInitial: revisionInitialId
    revisionMergedAncestor: revisionMergedAncestorId
    revisionMerged: revisionMergedId
    comments: commentCount
    outdated
    urls {
      app
      location
    }
  }
`;

export const changeRequestRoutes: readonly Route[] = [
  {
    operationId: "listChangeRequests",
    method: "GET",
    path: "/v1/spaces/{spaceId}/change-requests",
    summary: "List the change requests of a space",
    noun: "space",
    list: true,
    query: { status: "Only those of this status.", contributor: "Only those created by the user of this id." },
    answer: ["space", "changeRequests"],
    document: /* GraphQL */ `
      query ListChangeRequests(
        $spaceId: ID!
        $status: ChangeRequestStatus = OPEN
        $contributor: ID
        $first: Int
        $after: String
      ) {
        space(id: $spaceId) {
          changeRequests(status: $status, contributor: $contributor, first: $first, after: $after) {
            totalCount
            nodes {
              ...ChangeRequestFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  {
    operationId: "getChangeRequest",
    method: "GET",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Get a change request by its id or number",
    noun: "change request",
    answer: ["space", "changeRequest"],
    document: /* GraphQL */ `
      query GetChangeRequest($spaceId: ID!, $changeRequestId: ID!) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            ...ChangeRequestFields
          }
        }
      }
      ${changeRequestFields}
    `,
  },
];
