// Subscriptions to events of invitations.
import { adminEvent } from "#src/features/organizations/subscriptions.ts";
import { invitationEvents, refusalEvents } from "#src/features/invitations/events.ts";
import { invitations } from "#src/features/invitations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import type { EventFields } from "#src/graph/schema/events.ts";
import { eventField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const invitationOfEvent = (t: EventFields) => ({
  invitationId: t.value("ID", "Id of the invitation.", ({ event }) => event.subjectId),
});

const withRole = (t: EventFields) => ({
  ...invitationOfEvent(t),
  role: eventField(t, Role, "role", "The role of the invited user; null for a guest."),
});

extendSubscription("organizationEvents", [
  adminEvent("InvitationCreated", "An e-mail address was invited.", invitationEvents.created, (t) => ({
    ...withRole(t),
    invitation: t.rowOrNull(
      invitations,
      ({ event }) => event.subjectId,
      "The invitation as it is now; null if it was accepted, declined or withdrawn.",
    ),
  })),
  adminEvent("InvitationAccepted", "A user accepted an invitation.", invitationEvents.accepted, (t) => ({
    ...invitationOfEvent(t),
    ...userOfEvent(t, "the user who accepted it"),
  })),
  adminEvent(
    "InvitationDeclined",
    "An invitation was declined. The event does not name the user.",
    refusalEvents.declined,
    withRole,
  ),
  adminEvent("InvitationWithdrawn", "An invitation was withdrawn.", invitationEvents.withdrawn, withRole),
]);
