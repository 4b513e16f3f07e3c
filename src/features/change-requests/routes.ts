// The /v1 operations on change requests (spec 2, section 4.7).
import { userFields } from "#src/features/users/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineRoutes } from "#src/rest/route.ts";

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

defineRestFields("MergeChangeRequestPayload", {
  result: {
    description: "The result. Always `merge`: conflicts are an error.",
    schema: { type: "string", enum: ["merge", "conflicts"] },
    value: "merge",
  },
});

export const changeRequestTag = { name: "change-requests", description: "Proposed changes to a space." };

export const changeRequestRoutes = defineRoutes(() => changeRequestTag, {
  listChangeRequests: {
    request: "GET /v1/spaces/{spaceId}/change-requests",
    summary: "List the change requests of a space",
    list: true,
    query: {
      status: "Only change requests with this status.",
      contributor: "Only change requests that this user created or added a revision to.",
    },
    variables: ["$status: ChangeRequestStatus! = OPEN"],
    given: { statuses: "[$status]" },
    answer: ["space", "changeRequests"],
    fields: changeRequestFields,
  },
  getChangeRequest: {
    request: "GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Get a change request by its id or number",
    answer: ["space", "changeRequest"],
    fields: changeRequestFields,
  },
  createChangeRequest: {
    request: "POST /v1/spaces/{spaceId}/change-requests",
    summary: "Create a change request",
    success: 201,
    body: {
      subject: { description: "Subject, at most 100 characters.", notNull: true },
      agentTaskId: { description: "Id of the task of an agent that works in the change request.", notNull: true },
    },
    answer: ["createChangeRequest", "changeRequest"],
    fields: changeRequestFields,
  },
  updateChangeRequest: {
    request: "PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    summary: "Change the subject or the status of a change request",
    conflict: "The change request is merged and can no longer be changed.",
    body: { subject: "Subject, at most 100 characters.", status: "One of draft, open and archived." },
    answer: ["updateChangeRequest", "changeRequest"],
    fields: changeRequestFields,
  },
  mergeChangeRequest: {
    request: "POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge",
    summary: "Merge a change request into the main content",
    conflict: "The changes conflict with the main content, or the change request is already merged.",
    answer: ["mergeChangeRequest"],
    fields: "revision: revisionId result: __typename",
  },
  pullChangeRequestUpdates: {
    request: "POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/update",
    summary: "Pull the main content into a change request",
    conflict: "The change request is already merged.",
    answer: ["pullChangeRequestUpdates"],
    fields: "revision: revisionId result",
  },
});
