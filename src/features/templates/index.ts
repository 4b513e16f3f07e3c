// The feature "templates".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/templates/access.ts";
import "#src/features/templates/mutations.ts";
import "#src/features/templates/queries.ts";
import { templateRoutes } from "#src/features/templates/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const templates: Feature = {
  name: "templates",
  routes: templateRoutes,
  events: [],
  actions: actionsIn(access),
};
