// The feature "invite-links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invite-links/access.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/type.ts";
import "#src/features/invite-links/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import { html } from "#src/http/html.ts";
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
  pages: [
    {
      path: "invites/:key",
      async find(context, { key = "" }) {
        if (!(await findInvitation(context, key))) return null;
        return {
          status: 200,
          title: "You are invited to an organization",
          body: html`<p>
              With this link you can
              <a href="${context.publicUrl}/sign-in?invite=${key}">join with your e-mail address</a>. A program joins
              with its own API token and this <a href="${context.publicUrl}/graphql">GraphQL</a> operation:
            </p>
            <pre>mutation { useInviteLink(input: { key: "${key}" }) { __typename } }</pre>`,
        };
      },
    },
  ],
};
