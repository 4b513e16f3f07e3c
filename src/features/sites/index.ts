// The feature "sites".
import { signingKeySecret } from "#src/access/visitor-tokens.ts";
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/sites/access.ts";
import { removeSiteSpacesOnRemoval, removeSiteSpacesOnTransfer } from "#src/features/sites/commands/site-space.ts";
import {
  siteEvents,
  siteTerminalEvents,
  siteSectionEvents,
  siteSectionGroupEvents,
  siteSpaceEvents,
} from "#src/features/sites/events.ts";
import "#src/features/sites/mutations/customization.ts";
import "#src/features/sites/mutations/structure.ts";
import "#src/features/sites/mutations/site.ts";
import "#src/features/sites/queries.ts";
import { sectionRoutes, siteSpaceRoutes } from "#src/features/sites/routes/structure.ts";
import { sitePages } from "#src/features/sites/pages/index.ts";
import { lookAdditions } from "#src/features/sites/routes/look.ts";
import { siteAdditions, siteRoutes } from "#src/features/sites/routes/sites.ts";
import "#src/features/sites/subscriptions.ts";
import { spacesOpenedBy } from "#src/features/sites/reads.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Feature } from "#src/features/feature.ts";
import { checkHostnames, warnOfUnverifiedHostnames } from "#src/features/sites/commands/hostname.ts";

export const sites: Feature = {
  name: "sites",
  routes: [...siteRoutes, ...siteAdditions, ...lookAdditions, ...sectionRoutes, ...siteSpaceRoutes],
  events: [siteEvents, siteTerminalEvents, siteSectionEvents, siteSectionGroupEvents, siteSpaceEvents],
  actions: actionsIn(access),
  parts: [removeSiteSpacesOnTransfer, removeSiteSpacesOnRemoval],
  secrets: [signingKeySecret],
  queues: [
    {
      name: "hostnames",
      oldest: sql`select min("hostnameDueAt") from "Site" where "hostnameDueAt" <= now() and "claimedHostname" is not null`,
    },
  ],
  jobs: [
    {
      name: "site.checkHostnames",
      schedule: "*/5 * * * *",
      async run(context) {
        const unanswered = await checkHostnames(context);
        if (unanswered > 0) context.log.warn({ hostnames: unanswered }, "DNS lookups of site hostnames failed");
      },
    },
  ],
  warnings: warnOfUnverifiedHostnames,
  appPages: sitePages,
  openedBy: spacesOpenedBy,
};
