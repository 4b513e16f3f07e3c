// The feature "openapi".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/openapi/access.ts";
import { openApiPages } from "#src/features/openapi/commands/computed-pages.ts";
import "#src/features/openapi/commands/import-spec.ts";
import { specEvents, specTerminalEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import { processDueSources } from "#src/features/openapi/commands/process-source.ts";
import "#src/features/openapi/mutations.ts";
import "#src/features/openapi/queries.ts";
import { addressKeySecret } from "#src/features/openapi/reads/addresses.ts";
import { openApiRoutes } from "#src/features/openapi/routes.ts";
import "#src/features/openapi/subscriptions.ts";
import { specHttp } from "#src/features/openapi/http.ts";
import type { Feature } from "#src/features/feature.ts";

export const openapi: Feature = {
  name: "openapi",
  routes: openApiRoutes,
  events: [specEvents, specProgressEvents, specTerminalEvents],
  actions: actionsIn(access),
  computed: [openApiPages],
  // Sources whose process has ended, and addresses that are due to be fetched again.
  jobs: [
    {
      name: "openApiSpec.process",
      schedule: "* * * * *",
      atStart: true,
      async run(context) {
        const processed = await processDueSources(context);
        if (processed > 0) context.log.info({ processed }, "Processed OpenAPI specifications");
      },
    },
  ],
  secrets: [addressKeySecret],
  http: specHttp,
  pages: [{ path: "openapi/:spec", type: "OpenApiSpec", query: "node(id: $spec) { ... on OpenApiSpec * }" }],
};
