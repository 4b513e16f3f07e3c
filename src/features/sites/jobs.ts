// The job of sites: looking for the records that show whose the hostnames are.
import { checkHostnames } from "#src/features/sites/commands/hostname.ts";
import type { Job } from "#src/jobs/job.ts";

export const siteJobs: readonly Job[] = [
  {
    name: "site.checkHostnames",
    schedule: "*/5 * * * *",
    async run(context) {
      const unanswered = await checkHostnames(context);
      if (unanswered > 0)
        context.log.warn({ hostnames: unanswered }, "The DNS gave no answer about hostnames of sites");
    },
  },
];
