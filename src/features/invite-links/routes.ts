// The /v1 operation on invite links (spec 1, section 4.1).
import type { Route } from "#src/rest/route.ts";

export const inviteLinkRoutes: readonly Route[] = [
  {
    operationId: "deleteOrganizationLinkInvite",
    method: "DELETE",
    path: "/v1/orgs/{organizationId}/link-invites/{inviteId}",
    summary: "Delete an invite link",
    noun: "invite link",
    success: 204,
    answer: ["deleteInviteLink", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteOrganizationLinkInvite($organizationId: ID!, $inviteId: ID!) {
        deleteInviteLink(input: { organizationId: $organizationId, inviteLinkId: $inviteId }) {
          deleted
        }
      }
    `,
  },
];
