// The operations on reviews of change requests in /v1, which are additions.
import { changeRequestTag } from "#src/features/change-requests/routes.ts";
import { userFields } from "#src/features/users/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { markdownForm } from "#src/rest/request/property-forms.ts";
import { defineAdditions, parentAt } from "#src/rest/route.ts";

const changeRequest = parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}");

defineRestFields("Review", {
  object: {
    description: "The kind of object.",
    schema: { type: "string", const: "change-request-review" },
    value: "change-request-review",
  },
  kind: { description: "The kind of reviewer: a person.", schema: { type: "string", const: "user" }, value: "user" },
});

const reviewFields = `
  fragment ChangeRequestReviewFields on Review {
    object: __typename
    id revision: revisionId
    reviewer { ...UserFields }
    requestedBy { ...UserFields }
    status outdated message
    createdAt: reviewedAt updatedAt: reviewedAt
    urls { location }
  }
  ${userFields}
`;

const requestedFields = `
  fragment RequestedReviewerFields on Review {
    kind: __typename
    user: reviewer { ...UserFields }
    requestedBy { ...UserFields }
    createdAt: requestedAt
  }
  ${userFields}
`;

const reviews = `${changeRequest.path}/reviews` as const;
const requested = `${changeRequest.path}/requested-reviewers` as const;

export const reviewRoutes = defineAdditions(() => changeRequestTag, {
  getReviewsByChangeRequestId: {
    request: `GET ${reviews}`,
    summary: "List the submitted reviews of a change request",
    list: true,
    given: { statuses: "[APPROVED, CHANGES_REQUESTED, DISMISSED]" },
    answer: [...changeRequest.answer, "reviews"],
    fields: reviewFields,
  },
  getChangeRequestReviewById: {
    request: `GET ${reviews}/{reviewId}`,
    summary: "Get a review of a change request",
    answer: [...changeRequest.answer, "review"],
    fields: reviewFields,
  },
  submitChangeRequestReview: {
    request: `POST ${reviews}`,
    summary: "Review a change request",
    success: 201,
    conflict: "The change request is archived or merged.",
    body: { status: "The verdict.", comment: { description: "A message.", form: markdownForm } },
    named: { verdict: "status", message: "comment" },
    answer: ["submitReview", "review"],
    fields: reviewFields,
  },
  getRequestedReviewersByChangeRequestId: {
    request: `GET ${requested}`,
    summary: "List the reviewers whose review of a change request is requested",
    list: true,
    given: { statuses: "[REQUESTED]" },
    answer: [...changeRequest.answer, "reviews"],
    fields: requestedFields,
  },
  requestReviewersForChangeRequest: {
    request: `POST ${requested}`,
    summary: "Request reviews of a change request",
    conflict: "The change request is archived or merged.",
    body: { users: "Ids of at most 50 users with the role `comment` on the space; not its author." },
    named: { reviewerIds: "users" },
    answer: ["requestReviews"],
    fields: `users: reviewEdges { reference: node { ...RequestedReviewerFields } } ${requestedFields}`,
  },
  removeRequestedReviewerFromChangeRequest: {
    request: `DELETE ${requested}/{userId}`,
    summary: "Withdraw the request to review a change request",
    conflict: "The change request is archived or merged.",
    named: { reviewerId: "userId" },
    answer: ["withdrawReviewRequest", "deletedId"],
  },
});
