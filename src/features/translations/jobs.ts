// The jobs of translations: runs what is due and what has changed, and trims the translation memory every night.
import { trimSegments } from "#src/features/translations/commands/memory.ts";
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
  {
    name: "translation.trim",
    schedule: "41 3 * * *",
    removesByAge: true,
    async run({ database, clock, log }) {
      const segments = await trimSegments(database, clock.now());
      if (segments > 0) log.info({ segments }, "segments of translations that nothing needs removed");
    },
  },
];
