// The job that resumes imports whose process has ended.
import { resumeImports } from "#src/features/imports/commands/run-import.ts";
import type { Job } from "#src/jobs/job.ts";

export const importJobs: readonly Job[] = [
  {
    name: "import.resume",
    schedule: "* * * * *",
    atStart: true,
    async run(context) {
      const resumed = await resumeImports(context);
      if (resumed > 0) context.log.info({ resumed }, "Took up imports of processes that are gone");
    },
  },
];
