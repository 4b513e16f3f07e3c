// The events of OpenID providers, for admins of their organization, and of first sign-ins.
import { defineEvents } from "#src/events/declared.ts";

export const oidcProviderEvents = defineEvents(
  {
    created: "oidcProvider.created",
    updated: "oidcProvider.updated",
    activated: "oidcProvider.activated",
    deleted: "oidcProvider.deleted",
  },
  { changesRights: false, audience: "admins", isAudited: true },
);

/** Events that add a member. */
export const oidcMemberEvents = defineEvents({ joined: "oidcMember.joined" }, { audience: "members", isAudited: true });
