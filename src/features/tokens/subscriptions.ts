// The subscription events of API tokens: for their owner, and for admins of an organization that owns them.
import { adminEvent } from "#src/features/organizations/subscriptions.ts";
import { serviceTokenEvents, tokenEvents } from "#src/features/tokens/events.ts";
import { tokens } from "#src/features/tokens/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const tokenOfEvent = (t: EventFields) => ({
  apiTokenId: t.value("ID", "Id of the API token.", ({ event }) => event.subjectId),
  apiToken: t.rowOrNull(tokens, ({ event }) => event.subjectId, "The API token in its current state."),
});

extendSubscription("viewerEvents", [
  defineEvent("ApiTokenCreated", "The viewer created an API token.", [tokenEvents.created], tokenOfEvent),
  defineEvent("ApiTokenRotated", "The viewer rotated an API token.", [tokenEvents.rotated], tokenOfEvent),
  defineEvent("ApiTokenRevoked", "The viewer revoked an API token.", [tokenEvents.revoked], tokenOfEvent),
]);

extendSubscription("organizationEvents", [
  adminEvent(
    "ServiceTokenCreated",
    "An API token of the organization was created.",
    serviceTokenEvents.created,
    tokenOfEvent,
  ),
  adminEvent(
    "ServiceTokenRotated",
    "An API token of the organization was rotated.",
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
