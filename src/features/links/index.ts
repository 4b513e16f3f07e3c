// The feature "links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/links/access.ts";
import { anchorKind, linkKind } from "#src/features/links/commands/kinds.ts";
import { refuseBrokenLinks } from "#src/features/links/commands/refuse-broken.ts";
import { linkJobs } from "#src/features/links/jobs.ts";
import "#src/features/links/mutations.ts";
import "#src/features/links/queries.ts";
import { linkRoutes } from "#src/features/links/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const links: Feature = {
  name: "links",
  routes: linkRoutes,
  events: [],
  actions: actionsIn(access),
  parts: [refuseBrokenLinks],
  derived: [linkKind, anchorKind],
  jobs: linkJobs,
};
