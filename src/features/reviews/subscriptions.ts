// What is told live of reviews.
import { changeRequestOfEvent } from "#src/features/change-requests/subscriptions.ts";
import { findReview } from "#src/features/reviews/reads.ts";
import { Review } from "#src/features/reviews/type.ts";
import type { GraphTypes } from "#src/graph/builder.ts";
import { defineEvent, type EventMessage } from "#src/graph/events.ts";
import { wantedRows } from "#src/graph/selection.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

type Fields = PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, EventMessage>;

const reviewOfEvent = (t: Fields) => ({
  ...changeRequestOfEvent(t),
  reviewId: t.id({ description: "Id of the review.", resolve: ({ event }) => event.subjectId }),
});

const withReview = (t: Fields) => ({
  ...reviewOfEvent(t),
  review: t.field({
    type: Review,
    nullable: true,
    description: "The review as it is now; null when it is gone by now.",
    resolve: ({ event }, _args, context, info) => findReview(context, event.subjectId, wantedRows(info, "Review")),
  }),
});

extendSubscription("changeRequestEvents", [
  defineEvent({
    name: "ReviewRequested",
    description: "Somebody was asked to review a change request.",
    of: ["review.requested"],
    fields: withReview,
  }),
  defineEvent({
    name: "ReviewWithdrawn",
    description: "Somebody is no longer asked to review a change request.",
    of: ["review.withdrawn"],
    fields: reviewOfEvent,
  }),
  defineEvent({
    name: "ReviewSubmitted",
    description: "A change request was approved, or changes to it were asked for.",
    of: ["review.submitted"],
    fields: withReview,
  }),
]);
