// The feature "reviews".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/reviews/access.ts";
import { reviewRequestEmail } from "#src/features/reviews/commands/emails.ts";
import { reviewEvents } from "#src/features/reviews/events.ts";
import "#src/features/reviews/mutations.ts";
import "#src/features/reviews/queries.ts";
import "#src/features/reviews/subscriptions.ts";
import { reviewRoutes } from "#src/features/reviews/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const reviews: Feature = {
  name: "reviews",
  routes: reviewRoutes,
  events: [reviewEvents],
  actions: actionsIn(access),
  emails: [reviewRequestEmail],
};
