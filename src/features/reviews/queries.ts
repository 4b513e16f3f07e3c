// Where reviews are asked for: `reviewRequests`, and from change requests.
import { found } from "#src/base/errors.ts";
import { findChangeRequest } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { findRevision } from "#src/features/content/reads/revisions.ts";
import { Revision } from "#src/features/content/type/revision.ts";
import { pageReviewRequests, pageReviewsOfChangeRequest } from "#src/features/reviews/reads.ts";
import { ChangeRequestReviewStatus, Review, ReviewConnection } from "#src/features/reviews/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("reviewRequests", (t) =>
  t.field({
    type: ReviewConnection,
    description:
      "The reviews that the viewer is asked for and has not given, of drafts and open change requests; the last request first.",
    args: pageArguments,
    resolve: (_root, args, context, info) => pageReviewRequests(context, args, wantedRows(info, "Review")),
  }),
);

builder.objectFields(ChangeRequest, (t) => ({
  reviews: t.field({
    type: ReviewConnection,
    description: "Its reviews, given and asked for, one a person, in the order in which these came to it.",
    args: pageArguments,
    columns: ["id"],
    resolve: (changeRequest, args, context, info) =>
      pageReviewsOfChangeRequest(context, changeRequest, args, wantedRows(info, "Review")),
  }),
  reviewStatus: t.expose("reviewStatus", {
    type: ChangeRequestReviewStatus,
    description: "What its reviews come to, on whatever revision they were given.",
  }),
}));

builder.objectFields(Review, (t) => ({
  changeRequest: t.field({
    type: ChangeRequest,
    description: "The change request.",
    columns: ["changeRequestId"],
    resolve: async ({ changeRequestId }, _args, context, info) =>
      found(await findChangeRequest(context, changeRequestId, wantedRows(info, "ChangeRequest")), "change request"),
  }),
  reviewer: t.field({
    type: User,
    description: "Whose review it is.",
    columns: ["reviewerId"],
    resolve: ({ reviewerId }, _args, context, info) => namedUser(context, reviewerId, wantedRows(info, "User")),
  }),
  requestedBy: t.field({
    type: User,
    nullable: true,
    description: "Who last asked for it; null where the reviewer came by themself.",
    columns: ["requestedById"],
    resolve: ({ requestedById }, _args, context, info) =>
      requestedById === null ? null : namedUser(context, requestedById, wantedRows(info, "User")),
  }),
  revision: t.field({
    type: Revision,
    nullable: true,
    description: "The revision that it was given on: the active one of that moment; null while it is only requested.",
    columns: ["revisionId"],
    resolve: ({ revisionId }, _args, context, info) =>
      revisionId === null ? null : findRevision(context, revisionId, wantedRows(info, "Revision")),
  }),
}));
