// The job of sessions: what is over is removed every night.
import { removeOverSessions } from "#src/features/sessions/commands/sessions.ts";
import type { Job } from "#src/jobs/job.ts";

export const sessionJobs: readonly Job[] = [
  {
    name: "session.remove",
    schedule: "41 3 * * *",
    removesByAge: true,
    run: async ({ database, clock }) => removeOverSessions(database, clock.now()),
  },
];
