// What subscriptions deliver of invite links.
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

const role = (t: EventFields) => ({ role: eventField(t, Role, "role", "The role that it gives; null makes guests.") });

extendSubscription("organizationEvents", [
  adminEvent("InviteLinkCreated", "An invite link was created.", inviteLinkEvents.created, (t) => ({
    ...linkOfEvent(t),
    ...role(t),
    expiresAt: eventField(t, "DateTime", "expiresAt", "When it is to end; null for one that does not."),
  })),
  adminEvent("InviteLinkChanged", "An invite link was changed.", inviteLinkEvents.updated, (t) => ({
    ...linkOfEvent(t),
    ...changesOfEvent(t),
  })),
  adminEvent("InviteLinkUsed", "Somebody used an invite link.", inviteLinkEvents.used, (t) => ({
    ...linkOfEvent(t),
    ...userOfEvent(t, "who used it"),
  })),
  adminEvent("InviteLinkDeleted", "An invite link was deleted.", inviteLinkEvents.deleted, (t) => ({
    inviteLinkId: t.value("ID", "Id of the invite link.", ({ event }) => event.subjectId),
    ...role(t),
  })),
  memberEvent(
    "MemberJoined",
    "Somebody joined an organization by an invite link or an invitation.",
    joinEvents.joined,
    (t) => ({
      ...userOfEvent(t, "the new member"),
      role: eventField(t, Role, "role", "Their role; null for a guest."),
      inviteLinkId: eventIdField(t, "inviteLinkId", "Id of the invite link; null where it was none, or is not known."),
      invitationId: eventIdField(t, "invitationId", "Id of the invitation; null where it was none."),
    }),
  ),
]);
