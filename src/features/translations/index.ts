// The feature "translations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/translations/access.ts";
import { translationsEnd, translationsLeave } from "#src/features/translations/commands/translations.ts";
import {
  glossaryEvents,
  translationEvents,
  translationTerminalEvents,
  translationProgressEvents,
} from "#src/features/translations/events.ts";
import { trimSegments } from "#src/features/translations/commands/memory.ts";
import {
  dueTranslations,
  isTranslationDue,
  markChanged,
  runTranslation,
} from "#src/features/translations/commands/run.ts";
import "#src/features/translations/mutations.ts";
import "#src/features/translations/queries.ts";
import { glossaryPage } from "#src/features/translations/pages/glossary.ts";
import { translationPage } from "#src/features/translations/pages/translation.ts";
import { translationsPage } from "#src/features/translations/pages/translations.ts";
import { translationAdditions, translationRoutes } from "#src/features/translations/routes.ts";
import "#src/features/translations/subscriptions.ts";
import { engineOf } from "#src/features/translations/commands/engines/engine-of.ts";
import { neverStopping, sideBySide } from "#src/jobs/long-work.ts";
import { translationFollowers } from "#src/features/translations/follow.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Feature } from "#src/features/feature.ts";

export const translations: Feature = {
  name: "translations",
  routes: [...translationRoutes, ...translationAdditions],
  events: [translationEvents, translationProgressEvents, translationTerminalEvents, glossaryEvents],
  actions: actionsIn(access),
  parts: [translationsLeave, translationsEnd],
  queues: [
    {
      name: "translations",
      oldest: sql`select min(t."dueAt") from "Translation" t where ${isTranslationDue(sql`now()`)}`,
    },
  ],
  jobs: [
    {
      name: "translation.run",
      schedule: "* * * * *",
      atStart: true,
      resumes: true,
      async run({ translator, stopping = neverStopping, ...at }) {
        if (!translator) return;
        await markChanged(at, { dueAt: at.clock.now() });
        const run = (id: string) => runTranslation({ ...at, translator }, id, stopping);
        await sideBySide(await dueTranslations(at), stopping, run);
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
  appPages: [translationsPage, translationPage, glossaryPage],
  follow: translationFollowers,
  translator: ({ translation }) =>
    translation && { engine: engineOf(translation), wordsPerMonth: translation.wordsPerMonth },
};
