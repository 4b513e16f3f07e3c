// The /v1 operations on change requests (spec 2, section 4.7).
import { changesForm } from "#src/rest/request/content-changes.ts";
import { userFields } from "#src/features/users/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes, parentAt, type RouteRow } from "#src/rest/route.ts";

export const changeRequestFields = /* GraphQL */ `
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
    space: spaceId
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

const changedPage = "{ id: pageId type title path }";

const listedChangesFields = /* GraphQL */ `
  fragment ListedChangesFields on ListedChanges {
    mergedFrom { ...ChangeRequestFields }
    changes {
      type
      page ${changedPage}
      parent { before ${changedPage} after ${changedPage} changed }
      file { id: fileId name contentType downloadURL }
      reusableContent { id: reusableContentId title }
      variables { name change { before after } }
      attributes { name change { before after } }
    }
    more
  }
  ${changeRequestFields}
`;

const changesRoute = (path: `/v1/${string}`, noun: string, summary: string): RouteRow => ({
  request: `GET ${path}/changes`,
  summary,
  query: { limit: "How many changes to return: 1 to 1000; by default 10." },
  named: { first: "limit" },
  answer: [...parentAt(noun, path).answer, "changes", "listed"],
  fields: listedChangesFields,
});

export const changeRequestAdditions = defineAdditions(() => changeRequestTag, {
  listChangeRequestsForOrganization: {
    request: "GET /v1/orgs/{organizationId}/change-requests",
    summary: "List the change requests in all spaces of an organization",
    list: true,
    query: {
      status: "Only change requests with one of these statuses; repeat it for several. All by default.",
      creator: "Only change requests that this user created.",
      contributor: "Only change requests that this user created or added a revision to.",
      requestedReviewer: "Only change requests with a review of this user, requested or submitted.",
      space: "Only change requests of this space.",
    },
    named: {
      statuses: "status",
      authorIds: "creator",
      contributorId: "contributor",
      reviewerId: "requestedReviewer",
      spaceIds: "space",
    },
    answer: ["organization", "changeRequests"],
    fields: changeRequestFields,
  },
  updateChangeRequestContent: {
    request: "POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
    summary: "Edit the content of a change request, as one revision or not at all",
    conflict: "The change request is archived or merged.",
    body: { changes: { description: "The changes, which are applied in this order: at most 50.", form: changesForm } },
    bodyLimit: 16_000_000,
    named: { edits: "changes" },
    answer: ["editContent", "revision", "changeRequest"],
    fields: changeRequestFields,
  },
  getChangeRequestChanges: changesRoute(
    "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    "change request",
    "List the changes of a change request to the content on which it is based",
  ),
  getRevisionSemanticChanges: {
    ...changesRoute("/v1/spaces/{spaceId}/revisions/{revisionId}", "revision", "List the changes of a revision"),
    ignored: {
      metadata: "Without effect: changes have no Git metadata.",
      computed: "Without effect: changes have no computed content.",
    },
  },
});
