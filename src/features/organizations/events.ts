// What happens to organizations.
import { defineEvents } from "#src/events/declared.ts";

export const organizationEvents = defineEvents({
  created: "organization.created",
  updated: "organization.updated",
  visitorKeyRotated: "organization.visitorKeyRotated",
});

export const presenceEvents = defineEvents(
  {
    pinged: "organization.pinged",
  },
  { changesRights: false },
);
