// What subscriptions deliver of reviews.
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
  defineEvent("ReviewRequested", "Somebody was asked to review a change request.", [requested], withReview),
  defineEvent("ReviewWithdrawn", "Somebody is no longer asked to review a change request.", [withdrawn], reviewOfEvent),
  defineEvent(
    "ReviewSubmitted",
    "A change request was approved, or changes to it were asked for.",
    [submitted],
    (t) => ({
      ...withReview(t),
      verdict: eventField(t, ReviewVerdict, "status", "What the review came to then."),
      revisionId: eventIdField(
        t,
        "revisionId",
        "Id of the revision on which it was given; null where it is not known.",
      ),
    }),
  ),
  defineEvent("ReviewDismissed", "A review was set aside, and counts no more.", [dismissed], withReview),
]);
