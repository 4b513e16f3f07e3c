// What happens to invitations. Admins hear of it; of one that was declined they do not hear by whom.
import { defineEvents } from "#src/events/declared.ts";

export const invitationEvents = defineEvents(
  { created: "invitation.created", accepted: "invitation.accepted", withdrawn: "invitation.withdrawn" },
  { audience: "admins", isAudited: true },
);

export const refusalEvents = defineEvents(
  { declined: "invitation.declined" },
  { audience: "admins", changesRights: false },
);
