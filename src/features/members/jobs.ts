// The job of members: what is kept of their numbers is summed up, so that there is little to add when somebody asks.
import { sumUpMemberCounts } from "#src/features/members/commands.ts";
import type { Job } from "#src/jobs/job.ts";

export const memberJobs: readonly Job[] = [
  { name: "member.count", schedule: "7 * * * *", run: async ({ database }) => sumUpMemberCounts(database) },
];
