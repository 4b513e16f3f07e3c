// The feature "integrations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/integrations/access.ts";
import {
  onLeavingSpaces,
  onNewSite,
  onNewSpace,
} from "#src/features/integrations/commands/installations/places-table.ts";
import "#src/features/integrations/commands/runs/draw-block.ts";
import { secretsColumn, signingKeyColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { eventsOfIntegrations } from "#src/features/integrations/events.ts";
import { trimIntegrationEvents } from "#src/features/integrations/commands/enqueue-events.ts";
import "#src/features/integrations/mutations.ts";
import "#src/features/integrations/mutations/installations.ts";
import "#src/features/integrations/queries.ts";
import { installationPage } from "#src/features/integrations/pages/installation.ts";
import { integrationPage } from "#src/features/integrations/pages/integration.ts";
import { integrationsPage } from "#src/features/integrations/pages/integrations.ts";
import { integrationAdditions, integrationRoutes, integrationEventRoutes } from "#src/features/integrations/routes.ts";
import { installationAdditions, installationRoutes } from "#src/features/integrations/routes/installations.ts";
import "#src/features/integrations/subscriptions.ts";
import { deliveryFollower } from "#src/features/integrations/follow.ts";
import { endpointRoute, imageRoute } from "#src/features/integrations/http/endpoints.ts";
import { createScripts } from "#src/features/integrations/http/script-api.ts";
import { signInFinder } from "#src/features/integrations/reads/sign-in.ts";
import type { Feature } from "#src/features/feature.ts";

export const integrations: Feature = {
  name: "integrations",
  routes: [
    ...integrationRoutes,
    ...integrationAdditions,
    ...installationRoutes,
    ...installationAdditions,
    ...integrationEventRoutes,
  ],
  events: eventsOfIntegrations,
  actions: actionsIn(access),
  parts: [onNewSpace, onNewSite, onLeavingSpaces],
  secrets: [secretsColumn, signingKeyColumn],
  jobs: [
    {
      name: "integrationEvents.trim",
      schedule: "41 3 * * *",
      removesByAge: true,
      async run({ database, clock, log }) {
        const events = await trimIntegrationEvents(database, clock.now());
        if (events > 0) log.info({ events }, "old events of integrations removed");
      },
    },
  ],
  http: (gateway) => [endpointRoute(gateway), imageRoute(gateway)],
  follow: (gateway) => [deliveryFollower(gateway)],
  scripts: createScripts,
  visitorSignIn: signInFinder,
  appPages: [integrationsPage, integrationPage, installationPage],
};
