// The jobs of content: remove unreferenced rows and files, compute missing Git hashes, complete indexes and computed
// pages after crashes and upgrades, and verify some blobs.
import { randomBytes } from "node:crypto";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { collectBlobs, collectContent, collectIndexes } from "#src/features/content/commands/collect-garbage.ts";
import { refreshComputedPages } from "#src/features/content/commands/refresh-computed.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { verifiedBlobs, verifyBlobs } from "#src/features/content/commands/blobs.ts";
import { gitBlob, gitBlobOf } from "#src/features/content/model/git.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Job } from "#src/jobs/job.ts";

export const contentJobs: readonly Job[] = [
  {
    name: "content.collect",
    schedule: "30 3 * * *",
    removesByAge: true,
    async run({ database, files, clock, log }) {
      const derived = await collectIndexes(database);
      const rows = await collectContent(database);
      await files.tidy();
      const blobs = await collectBlobs(database, files, clock); // after the rows, which reference the blobs
      log.info({ rows, blobs, derived }, "Removed unreferenced content");
    },
  },
  {
    name: "content.derive",
    schedule: "*/10 * * * *",
    atStart: true,
    async run({ database, log }) {
      const derived = await indexMissing(database);
      if (derived > 0) log.info({ derived }, "Indexed texts without an index");
    },
  },
  {
    name: "content.compute",
    schedule: "5/10 * * * *",
    atStart: true,
    async run(context) {
      const computed = await refreshComputedPages(context);
      if (computed > 0) context.log.info({ computed }, "Refreshed computed pages");
    },
  },
  {
    name: "content.gitHashes",
    schedule: "0 4 * * *",
    async run({ database, files, log }) {
      const filled = await fillGitHashes(database, files);
      log.info({ filled }, "Computed Git hashes of content");
    },
  },
  {
    name: "content.verifyBlobs",
    schedule: "30 4 * * *",
    async run({ database, files, log }) {
      const compared = () => Object.values(verifiedBlobs).reduce((sum, count) => sum + count, 0);
      const before = compared();
      const found = await verifyBlobs({ database, files }, randomBytes(32).toString("hex"));
      log.info({ files: compared() - before }, "Compared files of the store with their hashes");
      const problem = "files that the database references are missing or damaged: restore them from a backup";
      if (found.missing.length + found.damaged.length > 0) log.error(found, problem);
    },
  },
];

/** Rows per batch: together, the largest texts have about 50 MB. */
const batchSize = 100;

async function* rowsOf<Row>(database: Database, after: (hash: string) => Sql) {
  for (let last: string | undefined = ""; last !== undefined;) {
    const rows: (Row & { hash: string })[] = await database.query(after(last));
    yield* rows;
    last = rows.at(-1)?.hash;
  }
}

async function fillGitHashes(database: Database, files: Pick<FileStore, "open">): Promise<number> {
  let filled = 0;
  const texts = (last: string) =>
    sql`select hash, markdown from "ContentDocument" where oid is null and hash > ${last} order by hash limit ${batchSize}::int`;
  for await (const { hash, markdown } of rowsOf<{ markdown: string }>(database, texts)) {
    await database.prisma.contentDocument.updateMany({ where: { hash }, data: { oid: gitBlob(markdown) } });
    filled++;
  }
  const unhashed = (last: string) =>
    sql`select hash, blob, size from "ContentFile" where oid is null and hash > ${last} order by hash limit ${batchSize}::int`;
  for await (const { hash, blob, size } of rowsOf<{ blob: string; size: number }>(database, unhashed)) {
    const bytes = await files.open(blob);
    if (!bytes) continue;
    await database.prisma.contentFile.updateMany({ where: { hash }, data: { oid: await gitBlobOf(bytes, size) } });
    filled++;
  }
  return filled;
}
