// What happens to SAML providers, for admins of their organization; and who came by one for the first time.
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

/** After these somebody is a member who was none. */
export const samlMemberEvents = defineEvents({ joined: "samlMember.joined" }, { audience: "members", isAudited: true });
