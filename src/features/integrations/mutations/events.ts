// The mutation on events of installations.
import { retryIntegrationEvent } from "#src/features/integrations/commands/enqueue-events.ts";
import { integrationEvents } from "#src/features/integrations/reads/events.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "retryIntegrationEvent",
  description:
    "Has an event of an installation tried again at once: one that was given up, or one that waits for its next try. " +
    "CONFLICT for one that was handled, and while the installation is not active. For admins of the organization.",
  input: (t) => ({ eventId: t.id({ required: true, description: "Id of the event." }) }),
  run: (input, context) => retryIntegrationEvent(context, input.eventId),
  payload: rowPayload("event", integrationEvents, "The event."),
});
