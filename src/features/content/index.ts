// The feature "content".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/content/access.ts";
import { contentEvents } from "#src/features/content/events.ts";
import "#src/features/content/mutations.ts";
import "#src/features/content/queries.ts";
import { contentJobs } from "#src/features/content/jobs.ts";
import { contentRoutes } from "#src/features/content/routes.ts";
import "#src/features/content/subscriptions.ts";
import type { Feature } from "#src/rest/route.ts";

export const content: Feature = {
  name: "content",
  routes: contentRoutes,
  events: [contentEvents],
  actions: actionsIn(access),
  jobs: contentJobs,
};
