// The events of SAML providers, for admins of their organization, and of first sign-ins.
import { defineEvents } from "#src/events/declared.ts";

export const samlProviderEvents = defineEvents(
  {
    created: "samlProvider.created",
    updated: "samlProvider.updated",
    activated: "samlProvider.activated",
    deleted: "samlProvider.deleted",
  },
  { changesRights: false, audience: "admins", isAudited: true },
);

/** Events that add a member. */
export const samlMemberEvents = defineEvents({ joined: "samlMember.joined" }, { audience: "members", isAudited: true });
