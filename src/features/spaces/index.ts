// The feature "spaces".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/spaces/access.ts";
import { spaceDepartureEvents, spaceEvents, spaceTerminalEvents } from "#src/features/spaces/events.ts";
import "#src/features/spaces/mutations.ts";
import "#src/features/spaces/queries.ts";
import "#src/features/spaces/subscriptions.ts";
import { spaceJobs } from "#src/features/spaces/jobs.ts";
import { spaceAdditions, spaceRoutes } from "#src/features/spaces/routes.ts";
import { sql } from "#src/db/connection/database.ts";
import { retentionMs } from "#src/features/spaces/commands/delete.ts";
import type { Feature } from "#src/features/feature.ts";

const retention = sql`${retentionMs / 1000} * interval '1 second'`;

export const spaces: Feature = {
  name: "spaces",
  routes: [...spaceRoutes, ...spaceAdditions],
  events: [spaceDepartureEvents, spaceEvents, spaceTerminalEvents],
  actions: actionsIn(access),
  queues: [
    {
      name: "deleted spaces",
      oldest: sql`select min("deletedAt") + ${retention} from "Space" where "deletedAt" < now() - ${retention}`,
    },
  ],
  jobs: spaceJobs,
};
