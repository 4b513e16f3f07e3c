// The job of spaces: permanent removal of spaces seven days after their deletion.
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/connection/database.ts";
import { type GoneSpace, goneSpaces, removeGoneSpace } from "#src/features/spaces/commands/delete.ts";
import type { Job } from "#src/jobs/job.ts";

const page = 1_000;

interface Log {
  info(fields: object, message: string): unknown;
  error(fields: object, message: string): unknown;
}

/** Removes spaces deleted over seven days ago; returns how many. Failures are logged and retried later. */
export async function purgeDeletedSpaces(
  database: Database,
  clock: Clock,
  { log, most }: { log?: Log; most?: number } = {},
): Promise<number> {
  let [removed, failed] = [0, 0];
  let spaces: GoneSpace[] = [];
  do {
    spaces = await goneSpaces(database, clock, { after: spaces.at(-1) ?? null, limit: page });
    for (const { id } of spaces) {
      try {
        if (await removeGoneSpace(database, id, most)) removed += 1;
      } catch (err) {
        failed += 1;
        log?.error({ err, spaceId: id }, "A deleted space could not be removed permanently; retrying in an hour");
      }
    }
  } while (spaces.length === page);
  if (removed + failed > 0) log?.info({ spaces: removed, failed }, "Removed deleted spaces permanently");
  return removed;
}

export const spaceJobs: readonly Job[] = [
  {
    name: "space.purge",
    schedule: "0 * * * *",
    removesByAge: true,
    async run({ database, clock, log }) {
      await purgeDeletedSpaces(database, clock, { log });
    },
  },
];
