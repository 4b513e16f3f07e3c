// The feature "imports".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/imports/access.ts";
import { importEvents, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import { importJobs } from "#src/features/imports/jobs.ts";
import "#src/features/imports/mutations.ts";
import "#src/features/imports/queries.ts";
import { importRoutes } from "#src/features/imports/routes.ts";
import "#src/features/imports/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";

export const imports: Feature = {
  name: "imports",
  routes: importRoutes,
  events: [importEvents, longImportEvents, importProgressEvents],
  actions: actionsIn(access),
  jobs: importJobs,
};
