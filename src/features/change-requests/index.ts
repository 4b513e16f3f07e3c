// The feature "change-requests".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/change-requests/access.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import "#src/features/change-requests/mutations.ts";
import "#src/features/change-requests/queries.ts";
import "#src/features/change-requests/subscriptions.ts";
import { changeRequestRoutes } from "#src/features/change-requests/routes.ts";
import { changeRequestFollower } from "#src/features/change-requests/follow.ts";
import type { Feature } from "#src/features/feature.ts";

export const changeRequests: Feature = {
  name: "change-requests",
  routes: changeRequestRoutes,
  events: [changeRequestEvents],
  actions: actionsIn(access),
  follow: (gateway) => [changeRequestFollower(gateway)],
  pages: [
    {
      path: "spaces/:space/change-requests/:changeRequest",
      type: "ChangeRequest",
      query: "space(id: $space) { changeRequest(by: { id: $changeRequest }) * }",
    },
    {
      path: "spaces/:space/change-requests/:changeRequest/pages/:page",
      type: "Page",
      query:
        "space(id: $space) { changeRequest(by: { id: $changeRequest }) { content { page(by: { id: $page }) * } } }",
    },
  ],
};
