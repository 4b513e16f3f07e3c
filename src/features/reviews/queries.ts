// Where reviews are asked for: `reviewRequests`, and from change requests and users.
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
    "The reviews that the viewer is asked for and has not given, of drafts and open change requests; the last request first.",
  ),
);

builder.prismaObjectField(User, "reviewRequests", (t) =>
  t.list(
    requestsToUser,
    "The reviews that they are asked for and have not given, of drafts and open change requests in all spaces that the viewer has a role on; the last request first.",
  ),
);

builder.prismaObjectFields(ChangeRequest, (t) => ({
  reviews: t.list(
    reviewsOfChangeRequest,
    "Its reviews, given and requested, one for each person, in the order in which these were asked or gave theirs.",
    {
      args: {
        statuses: t.arg({ type: [ReviewStatus], description: "Only those in one of these states." }),
        reviewerId: t.arg.id({ description: "Only that of the user of this id." }),
      },
    },
  ),
  reviewStatus: t.expose("reviewStatus", {
    type: ChangeRequestReviewStatus,
    description: "The overall outcome of its reviews, on whatever revision they were given.",
  }),
}));

builder.prismaObjectFields(Review, (t) => ({
  changeRequest: t.row(changeRequests, "changeRequestId", "The change request."),
  reviewer: t.row(namedUsers, "reviewerId", "Whose review it is."),
  requestedBy: t.rowOrNull(
    namedUsers,
    "requestedById",
    "Who last asked for it; null where the reviewer was not asked.",
  ),
  dismissedBy: t.rowOrNull(namedUsers, "dismissedById", "Who set it aside; null unless it is dismissed."),
  revision: t.rowOrNull(
    revisions,
    "revisionId",
    "The revision that it was given on: the active one of that moment; null while it is only requested.",
  ),
}));
