// The job of translations: those are run whose process is gone, and those whose source has changed while nobody
// listened.
import { dueTranslations, markChanged, runTranslation } from "#src/features/translations/commands/run.ts";
import type { Job } from "#src/jobs/job.ts";

export const translationJobs: readonly Job[] = [
  {
    name: "translation.run",
    schedule: "* * * * *",
    atStart: true,
    async run({ translator, ...at }) {
      if (!translator) return;
      await markChanged(at, { dueAt: at.clock.now() });
      for (const id of await dueTranslations(at))
        await runTranslation({ ...at, translator }, id, new AbortController().signal);
    },
  },
];
