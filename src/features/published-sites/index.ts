// The feature "published-sites".
import "#src/features/published-sites/queries.ts";
import { publishedSiteRoutes } from "#src/features/published-sites/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const publishedSites: Feature = { name: "published-sites", routes: publishedSiteRoutes };
