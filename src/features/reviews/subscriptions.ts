// What subscriptions deliver of reviews.
import { changeRequestOfEvent } from "#src/features/change-requests/subscriptions.ts";
import { reviewEvents } from "#src/features/reviews/events.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/events.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

const reviewOfEvent = (t: EventFields) => ({
  ...changeRequestOfEvent(t),
  reviewId: t.value("ID", "Id of the review.", ({ event }) => event.subjectId),
});

const withReview = (t: EventFields) => ({
  ...reviewOfEvent(t),
  review: t.rowOrNull(
    reviews,
    ({ event }) => event.subjectId,
    "The review as it is now; null when it has been deleted.",
  ),
});

extendSubscription("changeRequestEvents", [
  defineEvent(
    "ReviewRequested",
    "Somebody was asked to review a change request.",
    [reviewEvents.requested],
    withReview,
  ),
  defineEvent(
    "ReviewWithdrawn",
    "Somebody is no longer asked to review a change request.",
    [reviewEvents.withdrawn],
    reviewOfEvent,
  ),
  defineEvent(
    "ReviewSubmitted",
    "A change request was approved, or changes to it were asked for.",
    [reviewEvents.submitted],
    withReview,
  ),
  defineEvent("ReviewDismissed", "A review was set aside, and counts no more.", [reviewEvents.dismissed], withReview),
]);
