// The kinds of organization events about installations of integrations, each with the mutation that causes it.
import { expect } from "vitest";
import { addIntegration } from "#test/features/integrations/factory.ts";
import { configurations } from "#test/features/integrations/installing.ts";
import { done, listen } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** Installs an integration, changes and removes the installation; returns the kinds of the events. */
export async function hearInstallations(app: TestApp, world: World): Promise<string[]> {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const publisher = await world.organization();
  const { id: integrationId, name: integrationName } = await world.insert((rows) =>
    addIntegration(rows, { organizationId: publisher.organization.id, visibility: "public", configurations }),
  );
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const does = <Answer>(name: string, input: object, answer = "__typename") =>
    done<Answer>(app, admin.token, name, { answer, ...input });
  const { installation } = await stream.delivers(
    does<{ installation: { id: string } }>(
      "installIntegration",
      { integrationName, organizationId, configuration: { apiKey: "secret" } },
      "installation { id }",
    ),
    { __typename: "IntegrationInstalled", facts: { integrationId, integrationName } },
  );
  const installationId = installation.id;
  const changed = (...changes: object[]) => ({
    __typename: "InstallationSettingsChanged",
    facts: { integrationId, installationId, changes },
  });
  const update = (input: object) => does("updateInstallation", { installationId, ...input });
  await stream.delivers(
    update({ configuration: { apiKey: "secret", apiUrl: "https://example.com" }, siteSelection: "SELECTED" }),
    changed(
      { field: "status", before: "PENDING", after: "ACTIVE" },
      { field: "siteSelection", before: "ALL", after: "SELECTED" },
      { field: "configuration", before: ["apiKey", "tries"], after: ["apiUrl", "apiKey", "tries"] },
    ),
  );
  await stream.delivers(update({ siteSelection: "SELECTED" })); // changes nothing
  await stream.delivers(
    does("pauseInstallation", { installationId }),
    changed({ field: "status", before: "ACTIVE", after: "PAUSED" }),
  );
  await stream.delivers(does("pauseInstallation", { installationId })); // is paused already
  const publication = { name: integrationName, organizationId: publisher.organization.id, title: "Tides" };
  const code = { script: "export const handle = () => null;" };
  await stream.delivers(done(app, publisher.admin.token, "publishIntegration", { ...publication, code }), {
    __typename: "InstallationVersionPublished",
    actor: null,
    facts: { integrationId, installationId, version: 2, runs: true, scopes: [], pendingScopes: [] },
  });
  const gone = { __typename: "IntegrationUninstalled", facts: { integrationId, installationId } };
  await stream.delivers(does("uninstallIntegration", { installationId }), gone);
  const { rows } = await app.database.pool.query(`select payload from "AuditEntry" where "subjectId" = $1`, [
    installationId,
  ]);
  expect([rows.length, JSON.stringify(rows).includes("secret")]).toEqual([5, false]);
  return stream.end(5);
}
