// The feature "invite-links".
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/queries.ts";
import { inviteLinkRoutes } from "#src/features/invite-links/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const inviteLinks: Feature = { name: "invite-links", routes: inviteLinkRoutes };
