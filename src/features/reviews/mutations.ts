// Mutations on reviews.
import { namedChangeRequest } from "#src/features/change-requests/mutations.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { dismissReview, requestReviews, submitReview, withdrawReviewRequest } from "#src/features/reviews/commands.ts";
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
  description: "The reviews that are asked for by this, not those that were already.",
  in: "ChangeRequest.reviews",
});

defineMutation({
  name: "requestReviews",
  description:
    "Asks people to review a draft or an open change request. Those who have given a review are asked for a new one in its place; for those who are asked already nothing changes. For its author and those with the role `edit`. CONFLICT once it is merged or archived.",
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
    "Withdraws the request to review a change request; a review that was given stays. For its author, those with the role `edit`, and " +
    "the one who is asked. CONFLICT once it is merged or archived.",
  input: (t) => ({
    ...namedChangeRequest(t),
    reviewerId: t.id({ required: true, description: "Id of the user who is asked." }),
  }),
  run: (input, context) => withdrawReviewRequest(context, input),
  payload: (t) => ({ ...deletedPayload(t), changeRequest: changeRequest(t) }),
});

defineMutation({
  name: "submitReview",
  description:
    "Gives the viewer's review of a draft or an open change request as it is now, in place of the one that they gave before. For those with the role " +
    "`review`, and for those with the role `comment` who were asked; not for its author. CONFLICT once it is merged or archived.",
  input: (t) => ({
    ...namedChangeRequest(t),
    verdict: t.field({ type: ReviewVerdict, required: true, description: "The verdict." }),
    message: t.string({ description: "A text beside the verdict, as Markdown, at most 10,000 characters." }),
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
    "Sets a given review of a draft or an open change request aside, so that it counts no more. For who gave it, and for admins of the space. CONFLICT for a review that is only requested, and once the change request is merged or archived.",
  input: (t) => ({ reviewId: t.id({ required: true, description: "Id of the review." }) }),
  run: (input, context) => dismissReview(context, input),
  payload: rowPayload("review", reviews, "The review."),
});
