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
    query: {
      status: "Only those of this status.",
      contributor: "Only those that the user of this id created, or made a revision in.",
    },
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
  {
    operationId: "createChangeRequest",
    method: "POST",
    path: "/v1/spaces/{spaceId}/change-requests",
    summary: "Create a change request",
    noun: "change request",
    success: 201,
    body: {
      subject: { description: "What it is about, at most 100 characters.", notNull: true },
      agentTaskId: { description: "Id of the task that an agent is to carry out in it.", notNull: true },
    },
    answer: ["createChangeRequest", "changeRequest"],
    document: /* GraphQL */ `
      mutation CreateChangeRequest($spaceId: ID!, $subject: String, $agentTaskId: String) {
        createChangeRequest(input: { spaceId: $spaceId, subject: $subject, agentTaskId: $agentTaskId }) {
          changeRequest {
            ...ChangeRequestFields
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  {
    operationId: "updateChangeRequest",
    method: "PATCH",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Change the subject or the status of a change request",
    noun: "change request",
    body: { subject: "What it is about, at most 100 characters.", status: "draft, open or archived." },
    answer: ["updateChangeRequest", "changeRequest"],
    document: /* GraphQL */ `
      mutation UpdateChangeRequest(
        $spaceId: ID!
        $changeRequestId: ID!
        $subject: String
        $status: ChangeRequestStatusChange
      ) {
        updateChangeRequest(
          input: { spaceId: $spaceId, changeRequestId: $changeRequestId, subject: $subject, status: $status }
        ) {
          changeRequest {
            ...ChangeRequestFields
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  {
    operationId: "mergeChangeRequest",
    method: "POST",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge",
    summary: "Merge a change request into the main content",
    noun: "change request",
    answer: ["mergeChangeRequest"],
    document: /* GraphQL */ `
      mutation MergeChangeRequest($spaceId: ID!, $changeRequestId: ID!) {
        mergeChangeRequest(input: { spaceId: $spaceId, changeRequestId: $changeRequestId }) {
          revision: revisionId
          result
        }
      }
    `,
  },
  {
    operationId: "pullChangeRequestUpdates",
    method: "POST",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update",
    summary: "Pull the main content into a change request",
    noun: "change request",
    answer: ["pullChangeRequestUpdates"],
    document: /* GraphQL */ `
      mutation PullChangeRequestUpdates($spaceId: ID!, $changeRequestId: ID!) {
        pullChangeRequestUpdates(input: { spaceId: $spaceId, changeRequestId: $changeRequestId }) {
          revision: revisionId
          result
        }
      }
    `,
  },
];
