// What subscriptions deliver of API tokens, to their owner.
import { tokenEvents } from "#src/features/tokens/events.ts";
import { tokens } from "#src/features/tokens/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/events.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

const tokenOfEvent = (t: EventFields) => ({
  apiTokenId: t.value("ID", "Id of the API token.", ({ event }) => event.subjectId),
  apiToken: t.rowOrNull(tokens, ({ event }) => event.subjectId, "The API token as it is now."),
});

extendSubscription("viewerEvents", [
  defineEvent("ApiTokenCreated", "The viewer made an API token.", [tokenEvents.created], tokenOfEvent),
  defineEvent("ApiTokenRevoked", "The viewer revoked an API token.", [tokenEvents.revoked], tokenOfEvent),
]);
