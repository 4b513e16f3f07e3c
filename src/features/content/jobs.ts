// The jobs of content: each night what nothing refers to any more is removed, and what has no hash of Git gets one.
import { collectBlobs, collectContent } from "#src/features/content/commands/collect.ts";
import { fillGitHashes } from "#src/features/content/commands/git-hashes.ts";
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
  {
    name: "content.gitHashes",
    schedule: "0 4 * * *",
    async run({ database, files, log }) {
      const filled = await fillGitHashes(database, files);
      log.info({ filled }, "Hashed content as Git does");
    },
  },
];
