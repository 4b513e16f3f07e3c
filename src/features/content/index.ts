// The feature "content".
import "#src/features/content/mutations.ts";
import "#src/features/content/queries.ts";
import { contentJobs } from "#src/features/content/jobs.ts";
import { changeRequestContentRoutes } from "#src/features/content/routes/change-request.ts";
import { spaceContentRoutes } from "#src/features/content/routes/space.ts";
import "#src/features/content/subscriptions.ts";
import type { Feature } from "#src/rest/route.ts";

export const content: Feature = {
  name: "content",
  routes: [...spaceContentRoutes, ...changeRequestContentRoutes],
  jobs: contentJobs,
};
