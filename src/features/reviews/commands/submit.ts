// Giving a review.
import { newId } from "#src/base/ids.ts";
import { want } from "#src/db/entity.ts";
import { changeIfAny, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import { changeRequestInHand, type NamedChangeRequest } from "#src/features/change-requests/commands/in-hand.ts";
import { lockChangeRequest } from "#src/features/content/commands/lock.ts";
import { maySubmitReview } from "#src/features/reviews/access.ts";
import { reviewEvent, reviewEvents } from "#src/features/reviews/events.ts";
import { reviewsOfChangeRequest } from "#src/features/reviews/reads.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

/** Most Unicode characters of a message. */
const messageLimit = 10_000;

/**
 * Gives the viewer's review of a draft or an open change request, on the revision that is active at that moment, in
 * place of the one that they gave before. The same again changes nothing. For those with `review`, and for those with
 * `comment` who were asked; never for the author.
 *
 * Throws NOT_FOUND for a change request that the viewer does not see, CONFLICT when it is merged or archived,
 * INVALID_INPUT for an over-long message.
 */
export async function submitReview(
  context: Context,
  input: NamedChangeRequest & {
    readonly verdict: Exclude<ReviewStatus, "requested">;
    readonly message?: string | null | undefined;
  },
): Promise<{ id: string }> {
  const { verdict: status } = input;
  const message = checkText("message", input.message ?? "", { max: messageLimit }) || null;
  const reviewed = await changeRequestInHand(context, input);
  const { changeRequestId } = reviewed;
  const reviewerId = context.viewer.userId;
  const seen = await context.reader.pick(
    reviewsOfChangeRequest,
    { id: changeRequestId },
    { key: { reviewerId }, wanted: want(["requestedAt"]) },
  );
  const subject = (review: { requestedAt: unknown } | null) => ({ ...reviewed, isAsked: review?.requestedAt != null });
  return changeIfAny(context, maySubmitReview, subject(seen), async (transaction) => {
    const { revisionId } = await lockChangeRequest(transaction, reviewed.place);
    const key = { changeRequestId, reviewerId };
    const before = await transaction.review.findUnique({ where: { changeRequestId_reviewerId: key } });
    await requireAllowed(context, maySubmitReview, subject(before)); // the request may have been withdrawn since
    const id = before?.id ?? newId("Review");
    const given = { status, message, revisionId };
    const isSame = before?.status === status && before.message === message && before.revisionId === revisionId;
    if (isSame) return { result: { id }, events: [] };
    const data = { ...given, reviewedAt: context.clock.now() };
    await transaction.review.upsert({ where: { id }, update: data, create: { id, ...key, ...data } });
    return { result: { id }, events: [reviewEvent(reviewEvents.submitted, { id, reviewerId, status }, reviewed)] };
  });
}
