// The job of organizations: looking for the records that show whose their e-mail domains are.
import { checkDueEmailDomains } from "#src/features/organizations/commands/email-domains.ts";
import type { Job } from "#src/jobs/job.ts";

export const organizationJobs: readonly Job[] = [
  {
    name: "organization.checkEmailDomains",
    schedule: "*/5 * * * *",
    async run(context) {
      const unanswered = await checkDueEmailDomains(context);
      if (unanswered > 0) context.log.warn({ domains: unanswered }, "The DNS gave no answer about e-mail domains");
    },
  },
];
