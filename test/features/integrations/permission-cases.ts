// What everybody tries with an integration, and the flags that stand for it.
import { installationDeeds } from "#test/features/integrations/installation-permission-cases.ts";
import type { Deed, Stage } from "#test/support/access/fixture.ts";

const named = ({ integration }: Stage) => ({ integrationName: integration.name });
const publication = ({ organization }: Stage) => ({
  organizationId: organization.id,
  title: "Tides",
  code: { script: "export const handle = () => null;" },
});

const inputs: Readonly<Record<string, (stage: Stage) => object>> = {
  setIntegrationDevMode: (stage) => ({ ...named(stage), tunnelUrl: "https://tunnel.example.com/" }),
  disableIntegrationDevMode: named,
  rotateIntegrationSigningKey: named,
};

export const deeds: readonly Deed[] = [
  ...installationDeeds,
  {
    mutation: "publishIntegration",
    how: "that is new",
    input: (stage) => ({ ...publication(stage), name: `new-${stage.organization.id}` }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "publishIntegration",
    how: "that is there",
    input: (stage) => ({ ...publication(stage), name: stage.integration.name }),
    allowedBy: ["integration.admin"],
    seen: ["organization"],
  },
  ...Object.entries(inputs).map(([mutation, input]): Deed => ({
    mutation,
    input,
    allowedBy: ["integration.admin"],
    seen: ["integration"],
  })),
  {
    mutation: "retryIntegrationEvent",
    input: ({ integrationEvent }) => ({ eventId: integrationEvent.id }),
    allowedBy: ["organization.admin"],
    seen: ["integrationEvent"],
  },
  {
    mutation: "deleteIntegration",
    input: named,
    allowedBy: ["integration.admin"],
    seen: ["integration"],
    deletes: "integration",
  },
];

export const nodes = {
  Integration: "reading.test.ts",
  IntegrationVersion: "reading.test.ts",
  IntegrationInstallation: "installation-reading.test.ts",
  IntegrationSpace: "installation-reading.test.ts",
  IntegrationSite: "installation-reading.test.ts",
  IntegrationEvent: "events.test.ts",
};
