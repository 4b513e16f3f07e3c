// The feature "published-sites".
import "#src/features/published-sites/queries.ts";
import "#src/features/published-sites/subscriptions.ts";
import { addressAdditions, publishedSiteAdditions, publishedSiteRoutes } from "#src/features/published-sites/routes.ts";
import { publishedHttp } from "#src/features/published-sites/http.ts";
import { sitePathFinder } from "#src/features/published-sites/reads/visitor.ts";
import type { Feature } from "#src/features/feature.ts";

export const publishedSites: Feature = {
  name: "published-sites",
  routes: [...publishedSiteRoutes, ...publishedSiteAdditions, ...addressAdditions],
  http: publishedHttp,
  pathOfHost: sitePathFinder,
};
