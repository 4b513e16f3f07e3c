// What subscriptions deliver of invite links.
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import { inviteLinks } from "#src/features/invite-links/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const linkOfEvent = (t: EventFields) => ({
  inviteLinkId: t.value("ID", "Id of the invite link.", ({ event }) => event.subjectId),
  inviteLink: rowNow(t, inviteLinks),
});

const role = (t: EventFields) => ({ role: eventField(t, Role, "role", "The role that it gives; null makes guests.") });

extendSubscription("organizationEvents", [
  defineEvent("InviteLinkCreated", "An invite link was created. Told to admins.", [inviteLinkEvents.created], (t) => ({
    ...linkOfEvent(t),
    ...role(t),
    expiresAt: eventField(t, "DateTime", "expiresAt", "When it is to end; null for one that does not."),
  })),
  defineEvent("InviteLinkChanged", "An invite link was changed. Told to admins.", [inviteLinkEvents.updated], (t) => ({
    ...linkOfEvent(t),
    ...changesOfEvent(t),
  })),
  defineEvent("InviteLinkUsed", "Somebody used an invite link. Told to admins.", [inviteLinkEvents.used], (t) => ({
    ...linkOfEvent(t),
    ...userOfEvent(t, "who used it"),
  })),
  defineEvent("InviteLinkDeleted", "An invite link was deleted. Told to admins.", [inviteLinkEvents.deleted], (t) => ({
    inviteLinkId: t.value("ID", "Id of the invite link.", ({ event }) => event.subjectId),
    ...role(t),
  })),
  defineEvent(
    "MemberJoined",
    "Somebody joined an organization by an invite link or an invitation. Told to members, who are no guests.",
    [joinEvents.joined],
    (t) => ({
      ...userOfEvent(t, "the new member"),
      role: eventField(t, Role, "role", "Their role; null for a guest."),
      inviteLinkId: eventIdField(t, "inviteLinkId", "Id of the invite link; null where it was none, or is not known."),
      invitationId: eventIdField(t, "invitationId", "Id of the invitation; null where it was none."),
    }),
  ),
]);
