// The subscription events of the viewer's own account, and the fields by which events name users.
import { userEvents } from "#src/features/users/events.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventIdField } from "#src/graph/schema/event-fields.ts";
import { defineSubscription } from "#src/graph/schema/subscriptions.ts";

/** The fields of an event that names a user; `what` describes the user. */
export const userOfEvent = (t: EventFields, what: string) => ({
  userId: eventIdField(t, "userId", `Id of the user: ${what}; null if the event concerns no user.`),
  user: t.rowOrNull(namedUsers, ({ event }) => textIn(event, "userId"), `The user in their current state: ${what}.`),
});

defineSubscription({
  name: "viewerEvents",
  description:
    "Sends the changes that the viewer makes to their own account, from any client: profile, API tokens and sessions.",
  subjects: {},
  events: [
    defineEvent("ViewerProfileChanged", "The viewer changed their profile.", [userEvents.updated], (t) => ({
      ...changesOfEvent(t),
      viewer: t.rowOrNull(namedUsers, ({ event }) => event.subjectId, "The viewer in their current state."),
    })),
  ],
  open: (_named, { viewer }) => ({
    scope: { by: "actorId", ids: [viewer.userId] },
    check: () => Promise.resolve(), // every stream checks that the token is valid
    isProven: () => true,
  }),
});
