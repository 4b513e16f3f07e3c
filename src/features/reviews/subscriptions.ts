// What subscriptions deliver of reviews.
import { changeRequestOfEvent } from "#src/features/change-requests/subscriptions.ts";
import { reviewEvents } from "#src/features/reviews/events.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { Review } from "#src/features/reviews/type.ts";
import type { ObjectFields } from "#src/graph/builder.ts";
import { defineEvent, type EventMessage } from "#src/graph/events.ts";
import { wanted } from "#src/graph/selection.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

type Fields = ObjectFields<EventMessage>;

const reviewOfEvent = (t: Fields) => ({
  ...changeRequestOfEvent(t),
  reviewId: t.value({ type: "ID", description: "Id of the review.", value: ({ event }) => event.subjectId }),
});

const withReview = (t: Fields) => ({
  ...reviewOfEvent(t),
  review: t.field({
    type: Review,
    nullable: true,
    description: "The review as it is now; null when it is gone by now.",
    resolve: ({ event }, _args, context, info) => context.reader.row(reviews, event.subjectId, wanted(info)),
  }),
});

extendSubscription("changeRequestEvents", [
  defineEvent({
    name: "ReviewRequested",
    description: "Somebody was asked to review a change request.",
    of: [reviewEvents.requested],
    fields: withReview,
  }),
  defineEvent({
    name: "ReviewWithdrawn",
    description: "Somebody is no longer asked to review a change request.",
    of: [reviewEvents.withdrawn],
    fields: reviewOfEvent,
  }),
  defineEvent({
    name: "ReviewSubmitted",
    description: "A change request was approved, or changes to it were asked for.",
    of: [reviewEvents.submitted],
    fields: withReview,
  }),
]);
