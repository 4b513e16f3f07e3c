// The job of links: looking at the addresses outside that texts link to, where the organization wants it.
import { checkOutsideLinks } from "#src/features/links/commands/outside/check.ts";
import type { Job } from "#src/jobs/job.ts";

export const linkJobs: readonly Job[] = [
  {
    name: "links.checkOutside",
    schedule: "*/10 * * * *",
    async run(context) {
      const looked = await checkOutsideLinks(context);
      if (looked > 0) context.log.info({ addresses: looked }, "Looked at addresses outside");
    },
  },
];
