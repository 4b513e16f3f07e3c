// The feature "content".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/content/access.ts";
import { contentEvents } from "#src/features/content/events.ts";
import "#src/features/content/mutations.ts";
import "#src/features/content/queries.ts";
import "#src/features/content/type/change-list.ts";
import { contentJobs } from "#src/features/content/jobs.ts";
import { contentAdditions, contentRoutes } from "#src/features/content/routes.ts";
import "#src/features/content/subscriptions.ts";
import { contentFollowers } from "#src/features/content/follow.ts";
import { contentHttp } from "#src/features/content/http.ts";
import { contentAppPages } from "#src/features/content/pages/index.ts";
import type { Feature } from "#src/features/feature.ts";

export const content: Feature = {
  name: "content",
  routes: [...contentRoutes, ...contentAdditions],
  events: [contentEvents],
  actions: actionsIn(access),
  jobs: contentJobs,
  http: contentHttp,
  follow: contentFollowers,
  appPages: contentAppPages,
};
