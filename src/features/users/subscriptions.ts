// What subscriptions deliver of the viewer's own account, and how events show the users whom they name.
import { userEvents } from "#src/features/users/events.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventIdField } from "#src/graph/schema/event-fields.ts";
import { defineSubscription } from "#src/graph/schema/subscriptions.ts";

/** Fields of an event that names a user, whom `what` describes, and show them. */
export const userOfEvent = (t: EventFields, what: string) => ({
  userId: eventIdField(t, "userId", `Id of the user: ${what}; null where none is concerned.`),
  user: t.rowOrNull(namedUsers, ({ event }) => textIn(event, "userId"), `The user as they are now: ${what}.`),
});

defineSubscription({
  name: "viewerEvents",
  description:
    "Sends what the viewer does to their own account, here or elsewhere: their profile, and their API tokens.",
  subjects: {},
  events: [
    defineEvent("ViewerProfileChanged", "The viewer changed their profile.", [userEvents.updated], (t) => ({
      ...changesOfEvent(t),
      viewer: t.rowOrNull(namedUsers, ({ event }) => event.subjectId, "The viewer as they are now."),
    })),
  ],
  open: (_named, { viewer }) => ({
    scope: { by: "actorId", ids: [viewer.userId] },
    check: () => Promise.resolve(), // that the token is good is checked with every stream
    isProven: () => true,
  }),
});
