// The subscription events of sessions, for their user.
import { sessionEvents } from "#src/access/sessions.ts";
import { sessions } from "#src/features/sessions/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const sessionOfEvent = (t: EventFields) => ({
  sessionId: t.value("ID", "Id of the session.", ({ event }) => event.subjectId),
  session: t.rowOrNull(sessions, ({ event }) => event.subjectId, "The session in its current state."),
});

extendSubscription("viewerEvents", [
  defineEvent("SessionOpened", "The viewer signed in with a browser.", [sessionEvents.opened], sessionOfEvent),
  defineEvent("SessionEnded", "A session of the viewer has ended.", [sessionEvents.ended], sessionOfEvent),
]);
