// The job of integrations: what installations were told more than 30 days ago is removed every night.
import { trimIntegrationEvents } from "#src/features/integrations/commands/enqueue-events.ts";
import type { Job } from "#src/jobs/job.ts";

export const integrationJobs: readonly Job[] = [
  {
    name: "integrationEvents.trim",
    schedule: "41 3 * * *",
    removesByAge: true,
    async run({ database, clock, log }) {
      const events = await trimIntegrationEvents(database, clock.now());
      if (events > 0) log.info({ events }, "old events of integrations removed");
    },
  },
];
