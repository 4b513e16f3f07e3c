// The event types of members of organizations.
import { defineEvents } from "#src/events/declared.ts";

export const memberEvents = defineEvents(
  { invited: "member.invited", updated: "member.updated", removed: "member.removed", ssoSet: "memberSso.set" },
  { audience: "members", isAudited: true },
);
