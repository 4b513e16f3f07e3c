// The event types of invitations, for admins. Events of declined invitations do not name the user.
import { defineEvents } from "#src/events/declared.ts";

export const invitationEvents = defineEvents(
  { created: "invitation.created", accepted: "invitation.accepted", withdrawn: "invitation.withdrawn" },
  { audience: "admins", isAudited: true },
);

export const refusalEvents = defineEvents(
  { declined: "invitation.declined" },
  { audience: "admins", changesRights: false },
);
