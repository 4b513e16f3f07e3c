// The feature "openapi".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/openapi/access.ts";
import { openApiPages } from "#src/features/openapi/commands/computed-pages.ts";
import "#src/features/openapi/commands/import-spec.ts";
import { specEvents, specTerminalEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import { processDueSources } from "#src/features/openapi/commands/process-source.ts";
import "#src/features/openapi/mutations.ts";
import "#src/features/openapi/queries.ts";
import { specificationPage } from "#src/features/openapi/pages/specification.ts";
import { specificationsPage } from "#src/features/openapi/pages/specifications.ts";
import { addressKeySecret } from "#src/features/openapi/reads/addresses.ts";
import { openApiRoutes } from "#src/features/openapi/routes.ts";
import "#src/features/openapi/subscriptions.ts";
import { specHttp } from "#src/features/openapi/http.ts";
import { sql } from "#src/db/connection/database.ts";
import { isUnclaimed } from "#src/jobs/queues.ts";
import type { Feature } from "#src/features/feature.ts";

export const openapi: Feature = {
  name: "openapi",
  routes: openApiRoutes,
  events: [specEvents, specProgressEvents, specTerminalEvents],
  actions: actionsIn(access),
  computed: [openApiPages],
  // Sources whose process has ended, and addresses that are due to be fetched again.
  queues: [
    {
      name: "specifications",
      oldest: sql`select min("dueAt") from "OpenApiSpec" where "dueAt" <= now() and ${isUnclaimed}`,
    },
  ],
  jobs: [
    {
      name: "openApiSpec.process",
      schedule: "* * * * *",
      atStart: true,
      resumes: true,
      async run(context) {
        const processed = await processDueSources(context);
        if (processed > 0) context.log.info({ processed }, "Processed OpenAPI specifications");
      },
    },
  ],
  secrets: [addressKeySecret],
  http: specHttp,
  appPages: [specificationsPage, specificationPage],
};
