// The feature "change-requests".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/change-requests/access.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import "#src/features/change-requests/mutations.ts";
import "#src/features/change-requests/queries.ts";
import "#src/features/change-requests/subscriptions.ts";
import { changeRequestRoutes } from "#src/features/change-requests/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const changeRequests: Feature = {
  name: "change-requests",
  routes: changeRequestRoutes,
  events: [changeRequestEvents],
  actions: actionsIn(access),
};
