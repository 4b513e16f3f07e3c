// The feature "reviews".
import "#src/features/reviews/mutations.ts";
import "#src/features/reviews/queries.ts";
import "#src/features/reviews/subscriptions.ts";
import type { Feature } from "#src/rest/route.ts";

export const reviews: Feature = { name: "reviews", routes: [] };
