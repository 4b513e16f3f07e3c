// The subscription events of reviews.
import { changeRequestOfEvent } from "#src/features/change-requests/subscriptions.ts";
import { reviewEvents } from "#src/features/reviews/events.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { ReviewVerdict } from "#src/features/reviews/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const reviewOfEvent = (t: EventFields) => ({
  ...changeRequestOfEvent(t),
  reviewId: t.value("ID", "Id of the review.", ({ event }) => event.subjectId),
  reviewerId: eventIdField(t, "reviewerId", "Id of the reviewer."),
  reviewer: t.rowOrNull(namedUsers, ({ event }) => textIn(event, "reviewerId"), "The reviewer."),
});

const withReview = (t: EventFields) => ({ ...reviewOfEvent(t), review: rowNow(t, reviews) });

const { requested, withdrawn, submitted, dismissed } = reviewEvents;

extendSubscription("changeRequestEvents", [
  defineEvent("ReviewRequested", "A review of a change request was requested.", [requested], withReview),
  defineEvent("ReviewWithdrawn", "The request for a review was withdrawn.", [withdrawn], reviewOfEvent),
  defineEvent("ReviewSubmitted", "A change request was approved, or changes were requested.", [submitted], (t) => ({
    ...withReview(t),
    verdict: eventField(t, ReviewVerdict, "status", "The verdict."),
    revisionId: eventIdField(t, "revisionId", "Id of the reviewed revision; null if unknown."),
  })),
  defineEvent("ReviewDismissed", "A review was dismissed, and no longer counts.", [dismissed], withReview),
]);
