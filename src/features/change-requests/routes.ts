// The /v1 operations on change requests (spec 2, section 4.7).
import { userFields } from "#src/features/users/routes.ts";
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

const changeRequestFields = /* GraphQL */ `
  fragment ChangeRequestFields on ChangeRequest {
    object
    id
    number
    status
    subject
    createdBy {
      ...UserFields
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
  ${userFields}
`;

export const changeRequestRoutes = defineRoutes({
  listChangeRequests: {
    request: "GET /v1/spaces/{spaceId}/change-requests",
    summary: "List the change requests of a space",
    list: true,
    query: {
      status: "Only those of this status.",
      contributor: "Only those that the user of this id created, or made a revision in.",
    },
    answer: ["space", "changeRequests"],
    document: /* GraphQL */ `
      query ($spaceId: ID!, $status: ChangeRequestStatus = OPEN, $contributor: ID, $first: Int, $after: String) {
        space(id: $spaceId) {
          changeRequests(status: $status, contributor: $contributor, first: $first, after: $after) {
            nodes { ...ChangeRequestFields } ${pageOfList}
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  getChangeRequest: {
    request: "GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Get a change request by its id or number",
    answer: ["space", "changeRequest"],
    document: /* GraphQL */ `
      query ($spaceId: ID!, $changeRequestId: ID!) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            ...ChangeRequestFields
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  createChangeRequest: {
    request: "POST /v1/spaces/{spaceId}/change-requests",
    summary: "Create a change request",
    success: 201,
    body: {
      subject: { description: "What it is about, at most 100 characters.", notNull: true },
      agentTaskId: { description: "Id of the task that an agent is to carry out in it.", notNull: true },
    },
    answer: ["createChangeRequest", "changeRequest"],
    document: /* GraphQL */ `
      mutation ($spaceId: ID!, $subject: String, $agentTaskId: String) {
        createChangeRequest(input: { spaceId: $spaceId, subject: $subject, agentTaskId: $agentTaskId }) {
          changeRequest {
            ...ChangeRequestFields
          }
        }
      }
      ${changeRequestFields}
    `,
  },
  updateChangeRequest: {
    request: "PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Change the subject or the status of a change request",
    body: { subject: "What it is about, at most 100 characters.", status: "draft, open or archived." },
    answer: ["updateChangeRequest", "changeRequest"],
    document: /* GraphQL */ `
      mutation ($spaceId: ID!, $changeRequestId: ID!, $subject: String, $status: ChangeRequestStatusChange) {
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
  mergeChangeRequest: {
    request: "POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge",
    summary: "Merge a change request into the main content",
    answer: ["mergeChangeRequest"],
    document: /* GraphQL */ `
      mutation ($spaceId: ID!, $changeRequestId: ID!) {
        mergeChangeRequest(input: { spaceId: $spaceId, changeRequestId: $changeRequestId }) {
          revision: revisionId
          result
        }
      }
    `,
  },
  pullChangeRequestUpdates: {
    request: "POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/update",
    summary: "Pull the main content into a change request",
    answer: ["pullChangeRequestUpdates"],
    document: /* GraphQL */ `
      mutation ($spaceId: ID!, $changeRequestId: ID!) {
        pullChangeRequestUpdates(input: { spaceId: $spaceId, changeRequestId: $changeRequestId }) {
          revision: revisionId
          result
        }
      }
    `,
  },
});
