// The /v1 operation on invite links (spec 1, section 4.1).
import { defineRoutes } from "#src/rest/route.ts";

const tag = { name: "organizations", description: "Organizations and search across them." };

export const inviteLinkRoutes = defineRoutes(() => tag, {
  deleteOrganizationLinkInvite: {
    request: "DELETE /v1/orgs/{organizationId}/link-invites/{inviteId}",
    summary: "Delete an invite link",
    success: 204,
    named: { inviteLinkId: "inviteId" },
    answer: ["deleteInviteLink", "deletedId"],
  },
});
