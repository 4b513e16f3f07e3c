// Subscriptions to events of invite links.
import { adminEvent, memberEvent } from "#src/features/organizations/subscriptions.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import { inviteLinks } from "#src/features/invite-links/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import type { EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const linkOfEvent = (t: EventFields) => ({
  inviteLinkId: t.value("ID", "Id of the invite link.", ({ event }) => event.subjectId),
  inviteLink: rowNow(t, inviteLinks),
});

const role = (t: EventFields) => ({
  role: eventField(t, Role, "role", "The role of users who join with it; null makes them guests."),
});

extendSubscription("organizationEvents", [
  adminEvent("InviteLinkCreated", "An invite link was created.", inviteLinkEvents.created, (t) => ({
    ...linkOfEvent(t),
    ...role(t),
    expiresAt: eventField(t, "DateTime", "expiresAt", "Time of expiry; null means never."),
  })),
  adminEvent("InviteLinkChanged", "An invite link was changed.", inviteLinkEvents.updated, (t) => ({
    ...linkOfEvent(t),
    ...changesOfEvent(t),
  })),
  adminEvent("InviteLinkUsed", "A user used an invite link.", inviteLinkEvents.used, (t) => ({
    ...linkOfEvent(t),
    ...userOfEvent(t, "the user who used it"),
  })),
  adminEvent("InviteLinkDeleted", "An invite link was deleted.", inviteLinkEvents.deleted, (t) => ({
    inviteLinkId: t.value("ID", "Id of the invite link.", ({ event }) => event.subjectId),
    ...role(t),
  })),
  memberEvent(
    "MemberJoined",
    "A user joined an organization by an invite link or an invitation.",
    joinEvents.joined,
    (t) => ({
      ...userOfEvent(t, "the new member"),
      role: eventField(t, Role, "role", "Their role; null for a guest."),
      inviteLinkId: eventIdField(
        t,
        "inviteLinkId",
        "Id of the invite link; null if the user did not use one, or if unknown.",
      ),
      invitationId: eventIdField(t, "invitationId", "Id of the invitation; null if the user did not use one."),
    }),
  ),
]);
