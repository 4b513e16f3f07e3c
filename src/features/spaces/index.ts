// The feature "spaces".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/spaces/access.ts";
import { spaceDepartureEvents, spaceEvents, spaceTerminalEvents } from "#src/features/spaces/events.ts";
import "#src/features/spaces/mutations.ts";
import "#src/features/spaces/queries.ts";
import "#src/features/spaces/subscriptions.ts";
import { spaceJobs } from "#src/features/spaces/jobs.ts";
import { spaceRoutes } from "#src/features/spaces/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const spaces: Feature = {
  name: "spaces",
  routes: spaceRoutes,
  events: [spaceDepartureEvents, spaceEvents, spaceTerminalEvents],
  actions: actionsIn(access),
  jobs: spaceJobs,
};
