// The feature "invite-links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invite-links/access.ts";
import { inviteLinkEvents } from "#src/features/invite-links/events.ts";
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/queries.ts";
import { inviteLinkRoutes } from "#src/features/invite-links/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const inviteLinks: Feature = {
  name: "invite-links",
  routes: inviteLinkRoutes,
  events: [inviteLinkEvents],
  actions: actionsIn(access),
};
