// What subscriptions deliver of invitations.
import { invitationEvents, refusalEvents } from "#src/features/invitations/events.ts";
import { invitations } from "#src/features/invitations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { eventField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const invitationOfEvent = (t: EventFields) => ({
  invitationId: t.value("ID", "Id of the invitation.", ({ event }) => event.subjectId),
});

const withRole = (t: EventFields) => ({
  ...invitationOfEvent(t),
  role: eventField(t, Role, "role", "The role that it gives; null makes a guest."),
});

extendSubscription("organizationEvents", [
  defineEvent("InvitationCreated", "Somebody was invited. Told to admins.", [invitationEvents.created], (t) => ({
    ...withRole(t),
    invitation: t.rowOrNull(
      invitations,
      ({ event }) => event.subjectId,
      "The invitation as it is now; null when it was accepted, declined or withdrawn.",
    ),
  })),
  defineEvent(
    "InvitationAccepted",
    "Somebody has accepted an invitation. Told to admins.",
    [invitationEvents.accepted],
    (t) => ({ ...invitationOfEvent(t), ...userOfEvent(t, "who has accepted") }),
  ),
  defineEvent(
    "InvitationDeclined",
    "An invitation was declined; nothing tells by whom. Told to admins.",
    [refusalEvents.declined],
    withRole,
  ),
  defineEvent(
    "InvitationWithdrawn",
    "An invitation was withdrawn. Told to admins.",
    [invitationEvents.withdrawn],
    withRole,
  ),
]);
