// What subscriptions deliver of integrations.
import { developmentEvents, integrationEvents } from "#src/features/integrations/events.ts";
import { integrations } from "#src/features/integrations/reads.ts";
import { IntegrationVisibility } from "#src/features/integrations/type/parts.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { eventField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const named = (t: EventFields) => ({
  integrationId: t.value("ID", "Id of the integration.", ({ event }) => event.subjectId),
  name: eventField(t, "String", "name", "Its name."),
});

const integrationOfEvent = (t: EventFields) => ({
  ...named(t),
  integration: rowNow(t, integrations),
});

extendSubscription("organizationEvents", [
  defineEvent(
    "IntegrationPublished",
    "An integration of the organization was published, for the first time or anew. Told to members, who are no guests.",
    [integrationEvents.published],
    (t) => ({
      ...integrationOfEvent(t),
      version: eventField(t, "Int", "version", "The number of the version."),
      visibility: eventField(t, IntegrationVisibility, "visibility", "Who finds it since then."),
    }),
  ),
  defineEvent(
    "IntegrationDeleted",
    "An integration of the organization was deleted. Told to members, who are no guests.",
    [integrationEvents.deleted],
    named,
  ),
  defineEvent(
    "IntegrationDevModeSet",
    "The events of an integration go to a tunnel. Told to admins.",
    [developmentEvents.devModeSet],
    (t) => ({
      ...integrationOfEvent(t),
      all: eventField(t, "Boolean", "all", "Whether those of all organizations go there."),
    }),
  ),
  defineEvent(
    "IntegrationDevModeEnded",
    "The development mode of an integration has ended. Told to admins.",
    [developmentEvents.devModeEnded],
    integrationOfEvent,
  ),
  defineEvent(
    "IntegrationSigningKeyRotated",
    "An integration has another signing key. Told to admins, without the key.",
    [developmentEvents.signingKeyRotated],
    integrationOfEvent,
  ),
]);
