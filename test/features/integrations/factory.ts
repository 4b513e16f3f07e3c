// Creates integrations, their installations and events for tests.
import { createHash } from "node:crypto";
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** An integration with a version that has a script, whose bytes are not in a store. */
export function addIntegration(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.IntegrationCreateManyInput>,
) {
  const integration = rows.add("Integration", {
    id: newId("Integration"),
    name: `integration-${nextNumber()}`,
    title: "Word count",
    createdAt: nextInstant(),
    ...given,
  });
  rows.add("IntegrationVersion", {
    id: newId("IntegrationVersion"),
    integrationId: integration.id,
    number: 1,
    runtime: "v1",
    script: createHash("sha256").update("export default {};").digest("hex"),
    manifest: manifestOf(integration),
    createdAt: nextInstant(),
  });
  return integration;
}

/** The manifest of a version of an integration. */
export function manifestOf(integration: Partial<Prisma.IntegrationCreateManyInput>): Prisma.InputJsonObject {
  const { scopes = [], blocks = [], target = "all", configurations = {}, contentSecurityPolicy = null } = integration;
  const manifest = { scopes, blocks, target, configurations, contentSecurityPolicy };
  return manifest as Prisma.InputJsonObject; // tests give plain JSON
}

/** An installation that is active on all spaces and sites, with the integration's terms accepted if given. */
export function addInstallation(
  rows: Rows,
  {
    integration = {},
    ...given
  }: {
    integrationId: string;
    organizationId: string;
    integration?: Partial<Prisma.IntegrationCreateManyInput>;
  } & Partial<Prisma.IntegrationInstallationCreateManyInput>,
) {
  const { scopes = [], contentSecurityPolicy = null } = integration;
  return rows.add("IntegrationInstallation", {
    id: newId("IntegrationInstallation"),
    runtime: "v1",
    status: "active",
    scopes,
    contentSecurityPolicy,
    createdAt: nextInstant(),
    ...given,
  });
}

/** An installation on a selected space and site, with a failed event. */
export function addInstalled(
  rows: Rows,
  { spaceId, siteId, ...of }: Record<"integrationId" | "organizationId" | "spaceId" | "siteId", string>,
) {
  const selected = { spaceSelection: "selected", siteSelection: "selected" } as const;
  const installation = addInstallation(rows, { ...of, ...selected });
  const given = { installationId: installation.id, status: "active", createdAt: nextInstant() } as const;
  return {
    installation,
    integrationSpace: rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), spaceId, ...given }),
    integrationSite: rows.add("IntegrationSite", { id: newId("IntegrationSite"), siteId, ...given }),
    integrationEvent: addIntegrationEvent(rows, {
      installationId: installation.id,
      payload: { spaceId },
      status: "failure",
      tries: 3,
      durationMs: 12,
      finishedAt: nextInstant(),
    }),
  };
}

/** An event that is pending. */
export function addIntegrationEvent(
  rows: Rows,
  given: { installationId: string } & Partial<Prisma.IntegrationEventCreateManyInput>,
) {
  return rows.add("IntegrationEvent", {
    id: newId("IntegrationEvent"),
    type: "comment_created",
    sequence: nextNumber(),
    createdAt: nextInstant(),
    nextTryAt: nextInstant(),
    ...given,
  });
}
