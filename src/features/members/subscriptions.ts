// Subscriptions to events of members.
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
    "The membership as it is now; null if the member has left.",
  ),
});

const role = (t: EventFields, description: string) => ({ role: eventField(t, Role, "role", description) });

extendSubscription("organizationEvents", [
  memberEvent(
    "MemberInvited",
    "An operator of docgraph added a member to an organization.",
    memberEvents.invited,
    (t) => ({ ...memberOfEvent(t), ...role(t, "Their role; null for a guest.") }),
  ),
  memberEvent(
    "MemberChanged",
    "The role of a member was changed, or the member was disabled or enabled.",
    memberEvents.updated,
    (t) => ({
      ...memberOfEvent(t),
      ...changesOfEvent(t),
      roleBefore: eventField(t, Role, "roleBefore", "Their previous role; null for a guest."),
      ...role(t, "Their new role; null for a guest."),
    }),
  ),
  memberEvent("MemberSsoSet", "Single sign-on was required for a member.", memberEvents.ssoSet, memberOfEvent),
  memberEvent("MemberRemoved", "A member left an organization or was removed from it.", memberEvents.removed, (t) => ({
    ...userOfEvent(t, "the former member"),
    ...role(t, "Their previous role; null for a guest."),
  })),
]);
