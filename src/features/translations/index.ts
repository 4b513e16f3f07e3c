// The feature "translations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/translations/access.ts";
import { translationsLeave } from "#src/features/translations/commands/translations.ts";
import {
  glossaryEvents,
  translationEvents,
  translationFarewellEvents,
  translationProgressEvents,
} from "#src/features/translations/events.ts";
import { translationJobs } from "#src/features/translations/jobs.ts";
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
  events: [translationEvents, translationProgressEvents, translationFarewellEvents, glossaryEvents],
  actions: actionsIn(access),
  parts: [translationsLeave],
  jobs: translationJobs,
  follow: translationFollowers,
  translator: ({ translation }) =>
    translation && { engine: engineOf(translation), wordsPerMonth: translation.wordsPerMonth },
};
