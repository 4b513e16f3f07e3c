// Permission cases of an integration with their flags.
import { installationPermissionCases } from "#test/features/integrations/installation-permission-cases.ts";
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

const named = ({ integration }: Fixture) => ({ integrationName: integration.name });
const publication = ({ organization }: Fixture) => ({
  organizationId: organization.id,
  title: "Tides",
  code: { script: "export const handle = () => null;" },
});

const inputs: Readonly<Record<string, (fixture: Fixture) => object>> = {
  setIntegrationDevMode: (fixture) => ({ ...named(fixture), tunnelUrl: "https://tunnel.example.com/" }),
  disableIntegrationDevMode: named,
  rotateIntegrationSigningKey: named,
};

export const permissionCases: readonly PermissionCase[] = [
  ...installationPermissionCases,
  {
    mutation: "publishIntegration",
    how: "a new one",
    input: (fixture) => ({ ...publication(fixture), name: `new-${fixture.organization.id}` }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "publishIntegration",
    how: "an existing one",
    input: (fixture) => ({ ...publication(fixture), name: fixture.integration.name }),
    allowedBy: ["integration.admin"],
    seen: ["organization"],
  },
  ...Object.entries(inputs).map(([mutation, input]): PermissionCase => ({
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
