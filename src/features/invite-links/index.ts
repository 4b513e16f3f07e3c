// The feature "invite-links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invite-links/access.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/queries.ts";
import "#src/features/invite-links/subscriptions.ts";
import { inviteLinkRoutes } from "#src/features/invite-links/routes.ts";
import { inviteLinkPages } from "#src/features/invite-links/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const inviteLinks: Feature = {
  name: "invite-links",
  routes: inviteLinkRoutes,
  events: [inviteLinkEvents, joinEvents],
  actions: actionsIn(access),
  pages: inviteLinkPages,
};
