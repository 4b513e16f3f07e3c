// The job of invitations: what is long over is removed every night.
import { removeOverInvitations } from "#src/features/invitations/commands.ts";
import type { Job } from "#src/jobs/job.ts";

export const invitationJobs: readonly Job[] = [
  {
    name: "invitation.remove",
    schedule: "47 3 * * *",
    removesByAge: true,
    run: async ({ database, clock }) => removeOverInvitations(database, clock.now()),
  },
];
