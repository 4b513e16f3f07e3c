// What a viewer may do about reviews of a change request. Reviews inform: a merge needs none.
import type { ItemRoleParts } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";

/** A change request that the viewer sees. */
interface Reviewed {
  readonly space: ItemRoleParts;
  readonly createdById: string;
}

const isWriter: Action<Reviewed>["isAllowed"] = ({ viewer }, { space, createdById }) =>
  createdById === viewer.userId || spacePermissions(viewer, space).edit;

export const mayRequestReviews: Action<Reviewed> = {
  name: "review.request",
  isAllowed: isWriter,
  refusal: "Only its author, and those with the role edit on the space, may ask for reviews of a change request.",
};

/** Those who may ask may withdraw the request; the person who was asked may decline. */
export const mayWithdrawReviewRequest: Action<Reviewed & { readonly reviewerId: string }> = {
  name: "review.withdraw",
  isAllowed: (context, reviewed) => reviewed.reviewerId === context.viewer.userId || isWriter(context, reviewed),
  refusal:
    "Only its author, those with the role edit on the space, and the person who was asked may withdraw a request.",
};

/** `isAsked`: whether somebody asked the viewer, in this round or an earlier one. */
export const maySubmitReview: Action<Reviewed & { readonly isAsked: boolean }> = {
  name: "review.submit",
  isAllowed: ({ viewer }, { space, createdById, isAsked }) => {
    const { review, comment } = spacePermissions(viewer, space);
    return createdById !== viewer.userId && (review || (isAsked && comment));
  },
  refusal:
    "Nobody reviews their own change request; others need the role review on the space, or the role comment and a request.",
};
