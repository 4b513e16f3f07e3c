// Mutations on reviews.
import { namedChangeRequest } from "#src/features/change-requests/mutations.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import {
  dismissReview,
  requestReviews,
  submitReview,
  withdrawReviewRequest,
} from "#src/features/reviews/commands/reviews.ts";
import { reviews, reviewsOfChangeRequest } from "#src/features/reviews/reads.ts";
import { ReviewVerdict } from "#src/features/reviews/type.ts";
import type { ObjectFields } from "#src/graph/schema/builder.ts";
import {
  createdEdges,
  createdPayload,
  defineMutation,
  deletedPayload,
  rowPayload,
} from "#src/graph/schema/mutations.ts";

const changeRequest = (t: ObjectFields<{ id: string }>) => t.row(changeRequests, "id", "The change request.");

const requestedReviews = createdEdges("reviewEdges", reviewsOfChangeRequest, {
  description: "The newly requested reviews, without those requested before.",
  in: "ChangeRequest.reviews",
});

defineMutation({
  name: "requestReviews",
  description:
    "Requests reviews of a draft or an open change request. A request to a former reviewer replaces their review; pending requests stay unchanged. For its author and users with the role `edit`. CONFLICT if it is merged or archived.",
  input: (t) => ({
    ...namedChangeRequest(t),
    reviewerIds: t.idList({
      required: true,
      description: "Ids of at most 50 users with the role `comment` on the space; not its author.",
    }),
  }),
  run: (input, context) => requestReviews(context, input),
  payload: (t) => ({ changeRequest: changeRequest(t), ...requestedReviews(t) }),
});

defineMutation({
  name: "withdrawReviewRequest",
  description:
    "Withdraws the request to review a change request; a submitted review stays. For its author, users with the role `edit`, and " +
    "the requested reviewer. CONFLICT if it is merged or archived.",
  input: (t) => ({
    ...namedChangeRequest(t),
    reviewerId: t.id({ required: true, description: "Id of the requested reviewer." }),
  }),
  run: (input, context) => withdrawReviewRequest(context, input),
  payload: (t) => ({ ...deletedPayload(t), changeRequest: changeRequest(t) }),
});

defineMutation({
  name: "submitReview",
  description:
    "Submits the viewer's review of a draft or an open change request in its current state, which replaces their former review. For users with the role " +
    "`review`, and for requested reviewers with the role `comment`; not for its author. CONFLICT if it is merged or archived.",
  input: (t) => ({
    ...namedChangeRequest(t),
    verdict: t.field({ type: ReviewVerdict, required: true, description: "The verdict." }),
    message: t.string({ description: "A message in Markdown, at most 10,000 characters." }),
  }),
  run: (input, context) => submitReview(context, input),
  payload: createdPayload("review", reviewsOfChangeRequest, {
    description: "The review.",
    in: "ChangeRequest.reviews",
  }),
});

defineMutation({
  name: "dismissReview",
  description:
    "Dismisses a submitted review of a draft or an open change request, so that it no longer counts. For its reviewer and admins of the space. CONFLICT if the review is only requested, or if the change request is merged or archived.",
  input: (t) => ({ reviewId: t.id({ required: true, description: "Id of the review." }) }),
  run: (input, context) => dismissReview(context, input),
  payload: rowPayload("review", reviews, "The review."),
});
