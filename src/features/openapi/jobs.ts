// The job of OpenAPI specifications: sources are processed that wait for it, as those do whose process is gone, and
// fetched again from their addresses.
import { processDueSources } from "#src/features/openapi/commands/process-due.ts";
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
