// Where the events of installations are asked for: from integrations and installations.
import { integrations } from "#src/features/integrations/reads.ts";
import {
  anyOfIntegration,
  eventsOfInstallation,
  eventsOfIntegration,
} from "#src/features/integrations/reads/events.ts";
import { installations } from "#src/features/integrations/reads/installations.ts";
import {
  IntegrationEvent,
  IntegrationEventStatus,
  IntegrationEventType,
} from "#src/features/integrations/type/event.ts";
import { IntegrationInstallation } from "#src/features/integrations/type/installation.ts";
import { Integration } from "#src/features/integrations/type/integration.ts";
import { builder } from "#src/graph/schema/builder.ts";

const args = builder.args((t) => ({
  status: t.field({ type: IntegrationEventStatus, description: "Only those of which this came." }),
  type: t.field({ type: IntegrationEventType, description: "Only those that say this." }),
}));

builder.prismaObjectFields(Integration, (t) => ({
  events: t.list(
    eventsOfIntegration,
    "What its installations were told in the organizations that the viewer administers, newest first.",
    { args },
  ),
  event: t.pick(
    anyOfIntegration,
    "One of these events. NOT_FOUND when there is none of this id that the viewer may see.",
  ),
}));

builder.prismaObjectField(IntegrationInstallation, "events", (t) =>
  t.list(eventsOfInstallation, "What it was told, newest first. Empty for all but admins of the organization.", {
    args,
  }),
);

builder.prismaObjectFields(IntegrationEvent, (t) => ({
  integration: t.rowOrNull(
    integrations,
    "integrationId",
    "The integration; null where the viewer may not see it any more.",
  ),
  installation: t.row(installations, "installationId", "The installation."),
}));
