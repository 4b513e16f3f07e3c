// The feature "links".
import { anchorKind, linkKind } from "#src/features/links/commands/kinds.ts";
import { checkOutsideLinks } from "#src/features/links/commands/outside/check.ts";
import { refuseBrokenLinks } from "#src/features/links/commands/refuse-broken.ts";
import { mayRepairLinks } from "#src/features/links/commands/repair.ts";
import "#src/features/links/mutations.ts";
import "#src/features/links/queries.ts";
import { linkPages } from "#src/features/links/pages.ts";
import { linkRoutes } from "#src/features/links/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const links: Feature = {
  name: "links",
  routes: linkRoutes,
  appPages: linkPages,
  events: [],
  actions: [mayRepairLinks],
  parts: [refuseBrokenLinks],
  derived: [linkKind, anchorKind],
  jobs: [
    {
      name: "links.checkOutside",
      schedule: "*/10 * * * *",
      async run(context) {
        const checked = await checkOutsideLinks(context);
        if (checked > 0) context.log.info({ addresses: checked }, "Checked external links");
      },
    },
  ],
};
