// The feature "change-requests".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/change-requests/access.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import "#src/features/change-requests/mutations.ts";
import "#src/features/change-requests/queries.ts";
import "#src/features/change-requests/subscriptions.ts";
import { changeRequestAdditions, changeRequestRoutes } from "#src/features/change-requests/routes.ts";
import { changeRequestPage } from "#src/features/change-requests/pages/change-request.ts";
import { listPage } from "#src/features/change-requests/pages/list.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { EventFollower } from "#src/events/follower.ts";
import type { Feature } from "#src/features/feature.ts";

export const changeRequests: Feature = {
  name: "change-requests",
  routes: [...changeRequestRoutes, ...changeRequestAdditions],
  events: [changeRequestEvents],
  actions: actionsIn(access),
  follow: ({ database, log }) => [
    // Indexes the texts of reopened change requests.
    new EventFollower<string>(log, {
      find: ({ type, subjectId }) => (type === changeRequestEvents.statusChanged ? [subjectId] : []),
      run: (changeRequestIds, signal) =>
        indexMissing(database, { of: { revisionIds: [], spaceIds: [], changeRequestIds }, signal }),
      failed: "Deriving from new texts failed: the job content.derive will retry",
    }),
  ],
  appPages: [listPage, changeRequestPage],
};
