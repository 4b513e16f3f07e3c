// The feature "sites".
import { signingKeySecret } from "#src/access/visitor-tokens.ts";
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/sites/access.ts";
import { siteSpacesGo, siteSpacesLeave } from "#src/features/sites/commands/leave.ts";
import {
  siteEvents,
  siteFarewellEvents,
  siteSectionEvents,
  siteSectionGroupEvents,
  siteSpaceEvents,
} from "#src/features/sites/events.ts";
import { siteJobs } from "#src/features/sites/jobs.ts";
import "#src/features/sites/mutations/group.ts";
import "#src/features/sites/mutations/section.ts";
import "#src/features/sites/mutations/site.ts";
import "#src/features/sites/mutations/site-space.ts";
import "#src/features/sites/mutations/visitors.ts";
import "#src/features/sites/queries.ts";
import { sectionRoutes } from "#src/features/sites/routes/sections.ts";
import { siteRoutes } from "#src/features/sites/routes/sites.ts";
import { siteSpaceRoutes } from "#src/features/sites/routes/site-spaces.ts";
import "#src/features/sites/subscriptions.ts";
import { spacesOpenedBy } from "#src/features/sites/reads.ts";
import type { Feature } from "#src/features/feature.ts";

export const sites: Feature = {
  name: "sites",
  routes: [...siteRoutes, ...sectionRoutes, ...siteSpaceRoutes],
  events: [siteEvents, siteFarewellEvents, siteSectionEvents, siteSectionGroupEvents, siteSpaceEvents],
  actions: actionsIn(access),
  parts: [siteSpacesLeave, siteSpacesGo],
  secrets: [signingKeySecret],
  jobs: siteJobs,
  pages: [{ path: "orgs/:org/sites/:site", type: "Site", query: "site(id: $site, organizationId: $org) *" }],
  openedBy: spacesOpenedBy,
};
