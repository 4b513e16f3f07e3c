// What subscriptions deliver of API tokens: to their owner, and to admins of an organization that owns them.
import { adminEvent } from "#src/features/organizations/subscriptions.ts";
import { serviceTokenEvents, tokenEvents } from "#src/features/tokens/events.ts";
import { tokens } from "#src/features/tokens/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const tokenOfEvent = (t: EventFields) => ({
  apiTokenId: t.value("ID", "Id of the API token.", ({ event }) => event.subjectId),
  apiToken: t.rowOrNull(tokens, ({ event }) => event.subjectId, "The API token as it is now."),
});

extendSubscription("viewerEvents", [
  defineEvent("ApiTokenCreated", "The viewer made an API token.", [tokenEvents.created], tokenOfEvent),
  defineEvent("ApiTokenRotated", "The viewer had an API token replaced.", [tokenEvents.rotated], tokenOfEvent),
  defineEvent("ApiTokenRevoked", "The viewer revoked an API token.", [tokenEvents.revoked], tokenOfEvent),
]);

extendSubscription("organizationEvents", [
  adminEvent(
    "ServiceTokenCreated",
    "An API token of the organization was made.",
    serviceTokenEvents.created,
    tokenOfEvent,
  ),
  adminEvent(
    "ServiceTokenRotated",
    "An API token of the organization was replaced.",
    serviceTokenEvents.rotated,
    tokenOfEvent,
  ),
  adminEvent(
    "ServiceTokenRevoked",
    "An API token of the organization was revoked.",
    serviceTokenEvents.revoked,
    tokenOfEvent,
  ),
]);
