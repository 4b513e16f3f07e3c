// The events of organizations.
import { defineEvents } from "#src/events/declared.ts";

export const organizationEvents = defineEvents(
  { created: "organization.created", updated: "organization.updated" },
  { audience: "everybody", isAudited: true },
);

export const presenceEvents = defineEvents(
  { pinged: "organization.pinged" },
  { changesRights: false, audience: "members", isPassing: true },
);

/** Events that change whether an e-mail domain is verified. */
export const emailDomainEvents = defineEvents(
  { checked: "organization.emailDomainChecked" },
  { audience: "admins", isAudited: true },
);

export const visitorKeyEvents = defineEvents(
  { rotated: "organization.visitorKeyRotated" },
  { changesRights: false, audience: "admins", isAudited: true },
);
