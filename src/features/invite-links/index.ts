// The feature "invite-links".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invite-links/access.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import "#src/features/invite-links/mutations.ts";
import "#src/features/invite-links/type.ts";
import "#src/features/invite-links/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

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

defineRestFields("InviteLink", {
  object: { description: "The kind of object.", schema: { type: "string", const: "invite" }, value: "invite" },
  redundant: {
    description: "Whether it has no effect, since everybody can join; always false.",
    schema: { type: "boolean" },
    value: false,
  },
});

const linkFields = `
  fragment InviteLinkFields on InviteLink {
    object: __typename
    id role
    redundant: __typename
    createdAt expiresAt
    url
  }
`;

const links = "/v1/orgs/{organizationId}/link-invites";
const role = "Role of users who join with the link; null makes them guests.";
const expiresAt = { description: "Time of expiry; by default never.", notNull: true } as const;

const additions = defineAdditions(() => tag, {
  listOrganizationInviteLinks: {
    request: `GET ${links}`,
    summary: "List the invite links of an organization",
    list: true,
    answer: ["organization", "inviteLinks"],
    fields: linkFields,
  },
  getOrganizationInviteLink: {
    request: `GET ${links}/{inviteId}`,
    summary: "Get an invite link",
    named: { inviteLinkId: "inviteId" },
    answer: ["organization", "inviteLink"],
    fields: linkFields,
  },
  createOrganizationInvite: {
    request: `POST ${links}`,
    summary: "Create an invite link",
    success: 201,
    conflict: "Invite links are off in the organization.",
    body: { role, expiresAt },
    answer: ["createInviteLink", "inviteLink"],
    fields: linkFields,
  },
  updateOrganizationInviteById: {
    request: `PATCH ${links}/{inviteId}`,
    summary: "Change an invite link; users who joined with it keep their role",
    named: { inviteLinkId: "inviteId" },
    body: { role, expiresAt: { description: "Time of expiry; null means never.", mayBeNull: true } },
    answer: ["updateInviteLink", "inviteLink"],
    fields: linkFields,
  },
  joinOrganizationWithInvite: {
    request: "POST /v1/orgs/{organizationId}/invites/{inviteId}",
    summary: "Join an organization with an invite link, by the key at the end of its address",
    named: { key: "inviteId" },
    answer: ["useInviteLink", "organization"],
    fields: "id title",
  },
});

export const inviteLinks: Feature = {
  name: "invite-links",
  routes: [...routes, ...additions],
  events: [inviteLinkEvents, joinEvents],
  actions: actionsIn(access),
};
