// What a viewer may do about reviews of a change request. Reviews inform: a merge needs none.
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { changeRequestPermissions, type SeenChangeRequest } from "#src/features/change-requests/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

const onChangeRequest = actionsOn(changeRequestPermissions);

export const mayRequestReviews = onChangeRequest(
  "requestReviews",
  "review.request",
  "Only its author, and those with the role edit on the space, may ask for reviews of a change request.",
);

type Reviewed = SeenChangeRequest & { readonly reviewerId: string };

/** Those who may ask may withdraw the request; the person who was asked may decline. */
function mayWithdraw(viewer: Viewer, of: Reviewed): boolean {
  return of.reviewerId === viewer.userId || changeRequestPermissions(viewer, of).requestReviews;
}

/** Admins of the space set reviews aside, and everybody their own. */
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
    "Only its author, those with the role edit on the space, and the person who was asked may withdraw a request.",
};

export const mayDismissReview: Action<Reviewed> = {
  name: "review.dismiss",
  isAllowed: ({ viewer }, of) => mayDismiss(viewer, of),
  refusal: "Only who gave it, and admins of the space, may dismiss a review.",
};

export const maySubmitReview = onChangeRequest(
  "review",
  "review.submit",
  "Nobody reviews their own change request; others need the role review on the space, or the role comment and a request.",
);
