// The rights of a viewer on reviews of a change request. Reviews inform: merges do not require them.
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { changeRequestPermissions, type SeenChangeRequest } from "#src/features/change-requests/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

const onChangeRequest = actionsOn(changeRequestPermissions);

export const mayRequestReviews = onChangeRequest(
  "requestReviews",
  "review.request",
  "Only the author of a change request and users with the role edit on the space may request reviews.",
);

type Reviewed = SeenChangeRequest & { readonly reviewerId: string };

/** Users who may request reviews may withdraw requests; the requested reviewer may decline. */
function mayWithdraw(viewer: Viewer, of: Reviewed): boolean {
  return of.reviewerId === viewer.userId || changeRequestPermissions(viewer, of).requestReviews;
}

/** Admins of the space may dismiss reviews, and reviewers their own. */
function mayDismiss(viewer: Viewer, { reviewerId, space }: Reviewed): boolean {
  return reviewerId === viewer.userId || spacePermissions(viewer, space).admin;
}

/** The flags of a review that the viewer sees, by what can be done in its status. */
export function reviewPermissions(viewer: Viewer, of: Reviewed & { readonly status: ReviewStatus }) {
  const isGiven = of.status === "approved" || of.status === "changes_requested";
  return {
    view: true,
    withdraw: of.status === "requested" && mayWithdraw(viewer, of),
    dismiss: isGiven && mayDismiss(viewer, of),
  };
}

export const mayWithdrawReviewRequest: Action<Reviewed> = {
  name: "review.withdraw",
  isAllowed: ({ viewer }, of) => mayWithdraw(viewer, of),
  refusal:
    "Only the author of the change request, users with the role edit on the space, and the requested reviewer may withdraw a request.",
};

export const mayDismissReview: Action<Reviewed> = {
  name: "review.dismiss",
  isAllowed: ({ viewer }, of) => mayDismiss(viewer, of),
  refusal: "Only the reviewer and admins of the space may dismiss a review.",
};

export const maySubmitReview = onChangeRequest(
  "review",
  "review.submit",
  "Reviewing a change request requires the role review on the space, or the role comment and a request; authors cannot review their own.",
);
