// The feature "translations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/translations/access.ts";
import { translationsLeave } from "#src/features/translations/commands/translations.ts";
import {
  glossaryEvents,
  translationEvents,
  translationTerminalEvents,
  translationProgressEvents,
} from "#src/features/translations/events.ts";
import { trimSegments } from "#src/features/translations/commands/memory.ts";
import { dueTranslations, markChanged, runTranslation } from "#src/features/translations/commands/run.ts";
import "#src/features/translations/mutations.ts";
import "#src/features/translations/queries.ts";
import { translationRoutes } from "#src/features/translations/routes.ts";
import "#src/features/translations/subscriptions.ts";
import { engineOf } from "#src/features/translations/commands/engines/engine-of.ts";
import { translationFollowers } from "#src/features/translations/follow.ts";
import type { Feature } from "#src/features/feature.ts";

export const translations: Feature = {
  name: "translations",
  routes: translationRoutes,
  events: [translationEvents, translationProgressEvents, translationTerminalEvents, glossaryEvents],
  actions: actionsIn(access),
  parts: [translationsLeave],
  jobs: [
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
        if (segments > 0) log.info({ segments }, "removed unused segments of translations");
      },
    },
  ],
  follow: translationFollowers,
  translator: ({ translation }) =>
    translation && { engine: engineOf(translation), wordsPerMonth: translation.wordsPerMonth },
};
