// The job of spaces: seven days after its deletion, a space is removed for good.
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/database.ts";
import { removeGoneSpaces } from "#src/features/spaces/commands/delete.ts";
import type { Job } from "#src/jobs/job.ts";

/** Spaces removed by one statement, so that none takes long however much there is to remove. */
const batch = 50;

/**
 * Removes all spaces that were deleted more than seven days ago. Answers how many. When it is stopped half-way, the
 * next call continues there.
 */
export async function purgeDeletedSpaces(
  database: Database,
  clock: Clock,
  log?: { info(fields: object, message: string): void },
): Promise<number> {
  let total = 0;
  for (let removed = batch; removed === batch; total += removed) {
    removed = await removeGoneSpaces(database, clock, batch);
  }
  if (total > 0) log?.info({ spaces: total }, "Removed deleted spaces for good");
  return total;
}

export const spaceJobs: readonly Job[] = [
  {
    name: "space.purge",
    schedule: "0 * * * *",
    async run({ database, clock, log }) {
      await purgeDeletedSpaces(database, clock, log);
    },
  },
];
