// The feature "imports".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/imports/access.ts";
import { importEvents, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import { resumeImports } from "#src/features/imports/commands/run-import.ts";
import "#src/features/imports/mutations.ts";
import "#src/features/imports/queries.ts";
import { importRoutes } from "#src/features/imports/routes.ts";
import "#src/features/imports/subscriptions.ts";
import { sql } from "#src/db/connection/database.ts";
import { isUnclaimed } from "#src/jobs/queues.ts";
import type { Feature } from "#src/features/feature.ts";

export const imports: Feature = {
  name: "imports",
  routes: importRoutes,
  events: [importEvents, longImportEvents, importProgressEvents],
  actions: actionsIn(access),
  queues: [
    {
      name: "imports",
      // A process that leaves an import writes when; the lease of one that died ends by itself.
      oldest: sql`select min(coalesce("leaseUntil", "createdAt")) from "ContentImport" where state in ('pending', 'running') and ${isUnclaimed}`,
    },
  ],
  jobs: [
    {
      name: "import.resume",
      schedule: "* * * * *",
      atStart: true,
      resumes: true,
      async run(context) {
        const resumed = await resumeImports(context);
        if (resumed > 0) context.log.info({ resumed }, "Resumed imports of terminated processes");
      },
    },
  ],
};
