// The review that a new comment belongs to: comments may be part of a review.
import { invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Transaction } from "#src/domain/change.ts";
import { ifGiven } from "#src/domain/input.ts";
import type { Place } from "#src/features/comments/commands/place.ts";

const notOwn = () => invalidInput("review", "must be the id of your own review of the change request.");

/**
 * The id of a review, or null for none. INVALID_INPUT for what cannot be one, and on the main content, which nobody
 * reviews.
 */
export function checkReview({ changeRequestId }: Place, review: string | null | undefined): string | null {
  const id = ifGiven("review", review, (given) => {
    if (changeRequestId === null || !isIdOf("Review", given)) throw notOwn();
    return given;
  });
  return id ?? null;
}

/**
 * Keeps a review from being deleted until the transaction ends. INVALID_INPUT when it is not there, and when it is not
 * of the user and the change request.
 */
export async function keepReview(
  transaction: Transaction,
  review: { readonly reviewId: string; readonly changeRequestId: string | null; readonly postedById: string },
): Promise<void> {
  const { reviewId, changeRequestId, postedById } = review;
  const [row] = await transaction.$queryRaw<object[]>`select id from "Review"
    where id = ${reviewId} and "changeRequestId" = ${changeRequestId} and "reviewerId" = ${postedById} for key share`;
  if (!row) throw notOwn();
}
