// The event types of grants.
import { defineEvents } from "#src/events/declared.ts";

export const grantEvents = defineEvents(
  { set: "grant.set", removed: "grant.removed" },
  { audience: "admins", isAudited: true },
);
