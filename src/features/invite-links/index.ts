// The feature "invite-links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invite-links/access.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/type.ts";
import "#src/features/invite-links/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";
import { defineRoutes } from "#src/rest/route.ts";

const tag = { name: "organizations", description: "Organizations and search across them." };

const routes = defineRoutes(() => tag, {
  deleteOrganizationLinkInvite: {
    request: "DELETE /v1/orgs/{organizationId}/link-invites/{inviteId}",
    summary: "Delete an invite link",
    success: 204,
    named: { inviteLinkId: "inviteId" },
    answer: ["deleteInviteLink", "deletedId"],
  },
});

export const inviteLinks: Feature = {
  name: "invite-links",
  routes,
  events: [inviteLinkEvents, joinEvents],
  actions: actionsIn(access),
};
