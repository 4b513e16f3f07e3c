// The /v1 operations on events of installations (spec 2, sections 4.11 and 6).
import { integration, tag } from "#src/features/integrations/routes.ts";
import { defineRoutes } from "#src/rest/route.ts";

const eventFields = /* GraphQL */ `
  fragment IntegrationEventFields on IntegrationEvent {
    id
    integrationId
    installationId
    createdAt
    payload
    status
  }
`;

export const integrationEventRoutes = defineRoutes(() => tag, {
  listIntegrationEvents: {
    request: `GET ${integration}/events`,
    summary: "List what the installations were told in organizations that the caller administers",
    list: true,
    named: { name: "integrationName" },
    answer: ["integration", "events"],
    fields: eventFields,
  },
  getIntegrationEvent: {
    request: `GET ${integration}/events/{eventId}`,
    summary: "Get an event and its trace",
    named: { name: "integrationName" },
    answer: ["integration"],
    variables: ["$eventId: ID!"],
    fields: /* GraphQL */ `
      fragment IntegrationEventTraceFields on Integration {
        event(id: $eventId) {
          ...IntegrationEventFields
        }
        trace: event(id: $eventId) {
          logs {
            message
            timestamp
            level
          }
        }
      }
      ${eventFields}
    `,
  },
});
