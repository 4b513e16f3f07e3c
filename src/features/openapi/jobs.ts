// The job that processes sources that are due: those whose process has ended, and those at addresses that are fetched
// again.
import { processDueSources } from "#src/features/openapi/commands/process-source.ts";
import type { Job } from "#src/jobs/job.ts";

export const openApiJobs: readonly Job[] = [
  {
    name: "openApiSpec.process",
    schedule: "* * * * *",
    atStart: true,
    async run(context) {
      const processed = await processDueSources(context);
      if (processed > 0) context.log.info({ processed }, "Processed OpenAPI specifications");
    },
  },
];
