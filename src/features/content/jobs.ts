// The jobs of content: what nothing refers to any more is removed each night.
import { collectBlobs, collectContent } from "#src/features/content/commands/collect.ts";
import type { Job } from "#src/jobs/job.ts";

export const contentJobs: readonly Job[] = [
  {
    name: "content.collect",
    schedule: "30 3 * * *",
    async run({ database, files, clock, log }) {
      const rows = await collectContent(database);
      await files.tidy();
      const blobs = await collectBlobs(database, files, clock); // after the rows, which keep the blobs
      log.info({ rows, blobs }, "Collected content that nobody references");
    },
  },
];
