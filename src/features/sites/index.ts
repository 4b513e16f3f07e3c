// The feature "sites".
import { siteSpacesLeave } from "#src/features/sites/commands/leave.ts";
import "#src/features/sites/queries.ts";
import { siteRoutes } from "#src/features/sites/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const sites: Feature = {
  name: "sites",
  routes: siteRoutes,
  parts: [siteSpacesLeave],
};
