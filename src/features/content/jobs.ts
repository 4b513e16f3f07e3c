// The jobs of content: each night what nothing refers to any more is removed, and what has no hash of Git gets one.
// What is derived from texts, and computed pages, are completed after crashes and upgrades; some blobs are verified.
import { randomBytes } from "node:crypto";
import { collectBlobs, collectContent, dropDerived } from "#src/features/content/commands/collect-garbage.ts";
import { computePages } from "#src/features/content/commands/compute.ts";
import { deriveMissing } from "#src/features/content/commands/derive.ts";
import { fillGitHashes } from "#src/features/content/commands/git-hashes.ts";
import { verifyBlobs } from "#src/features/content/commands/blobs.ts";
import type { Job } from "#src/jobs/job.ts";

export const contentJobs: readonly Job[] = [
  {
    name: "content.collect",
    schedule: "30 3 * * *",
    removesByAge: true,
    async run({ database, files, clock, log }) {
      const derived = await dropDerived(database);
      const rows = await collectContent(database);
      await files.tidy();
      const blobs = await collectBlobs(database, files, clock); // after the rows, which keep the blobs
      log.info({ rows, blobs, derived }, "Collected content that nobody references");
    },
  },
  {
    name: "content.derive",
    schedule: "*/10 * * * *",
    atStart: true,
    async run({ database, log }) {
      const derived = await deriveMissing(database);
      if (derived > 0) log.info({ derived }, "Derived what was missing of texts");
    },
  },
  {
    name: "content.compute",
    schedule: "5/10 * * * *",
    atStart: true,
    async run(context) {
      const computed = await computePages(context);
      if (computed > 0) context.log.info({ computed }, "Made computed pages anew");
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
  {
    name: "content.verifyBlobs",
    schedule: "30 4 * * *",
    async run({ database, files, log }) {
      const { missing, damaged } = await verifyBlobs({ database, files }, randomBytes(32).toString("hex"));
      if (missing.length + damaged.length > 0)
        log.error(
          { missing, damaged },
          "files that the database names are missing or damaged: bring them back from a backup",
        );
    },
  },
];
