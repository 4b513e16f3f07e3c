// What subscriptions deliver of members.
import { memberEvent } from "#src/features/organizations/subscriptions.ts";
import { memberEvents } from "#src/features/members/events.ts";
import { members } from "#src/features/members/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import type { EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const memberOfEvent = (t: EventFields) => ({
  ...userOfEvent(t, "the member"),
  member: t.rowOrNull(
    members,
    ({ event }) => event.subjectId,
    "The membership as it is now; null when the member has left.",
  ),
});

const role = (t: EventFields, description: string) => ({ role: eventField(t, Role, "role", description) });

extendSubscription("organizationEvents", [
  memberEvent(
    "MemberInvited",
    "Somebody was made a member of an organization by who runs docgraph.",
    memberEvents.invited,
    (t) => ({ ...memberOfEvent(t), ...role(t, "Their role; null for a guest.") }),
  ),
  memberEvent("MemberChanged", "A member got another role, or was switched off or on.", memberEvents.updated, (t) => ({
    ...memberOfEvent(t),
    ...changesOfEvent(t),
    roleBefore: eventField(t, Role, "roleBefore", "Their role until then; null for a guest."),
    ...role(t, "Their role from then on; null for a guest."),
  })),
  memberEvent(
    "MemberSsoSet",
    "A member is to sign in through single sign-on from now on.",
    memberEvents.ssoSet,
    memberOfEvent,
  ),
  memberEvent("MemberRemoved", "Somebody left an organization or was removed from it.", memberEvents.removed, (t) => ({
    ...userOfEvent(t, "who was a member"),
    ...role(t, "Their role until then; null for a guest."),
  })),
]);
