// The query fields of reviews: `reviewRequests`, and fields of change requests and users.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest, ChangeRequestReviewStatus } from "#src/features/change-requests/type/change-request.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { requestsToUser, requestsToViewer, reviewsOfChangeRequest } from "#src/features/reviews/reads.ts";
import { Review, ReviewStatus } from "#src/features/reviews/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.queryField("reviewRequests", (t) =>
  t.list(
    requestsToViewer,
    "The requested, not yet submitted reviews of the viewer, of drafts and open change requests; latest request first.",
  ),
);

builder.prismaObjectField(User, "reviewRequests", (t) =>
  t.list(
    requestsToUser,
    "Their requested, not yet submitted reviews, of drafts and open change requests in all spaces on which the viewer has a role; latest request first.",
  ),
);

builder.prismaObjectFields(ChangeRequest, (t) => ({
  reviews: t.list(
    reviewsOfChangeRequest,
    "Its submitted and requested reviews, one for each person, in the order of their first request or submission.",
    {
      args: {
        statuses: t.arg({ type: [ReviewStatus], description: "Only reviews with one of these statuses." }),
        reviewerId: t.arg.id({ description: "Only the review of the user with this id." }),
      },
    },
  ),
  review: t.pick(reviewsOfChangeRequest, "One of its reviews by its id. NOT_FOUND if it has no such review."),
  reviewStatus: t.expose("reviewStatus", {
    type: ChangeRequestReviewStatus,
    description: "The overall outcome of its reviews, on any revision.",
  }),
}));

builder.prismaObjectFields(Review, (t) => ({
  changeRequest: t.row(changeRequests, "changeRequestId", "The change request."),
  reviewer: t.row(namedUsers, "reviewerId", "The reviewer."),
  requestedBy: t.rowOrNull(namedUsers, "requestedById", "The user who last requested it; null without a request."),
  dismissedBy: t.rowOrNull(namedUsers, "dismissedById", "The user who dismissed it; null unless it is dismissed."),
  revision: t.rowOrNull(revisions, "revisionId", "The reviewed revision; null while the review is only requested."),
}));
