// The kinds of organization events about integrations, each with the mutation that causes it.
import { done, listen } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** Publishes, develops and deletes an integration; returns the kinds of the events. */
export async function hearIntegrations(app: TestApp, world: World): Promise<string[]> {
  const { organization, admin } = await world.organization();
  const { id: organizationId } = organization;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const does = (name: string, input: object) => done(app, admin.token, name, { integrationName: "tides", ...input });
  const tunnel = { tunnelUrl: "https://tunnel.example.com/" };
  const code = { script: "export const handle = () => null;" };
  const publication = { organizationId, name: "tides", title: "Tides", code };
  await stream.delivers(done(app, admin.token, "publishIntegration", publication), {
    __typename: "IntegrationPublished",
    facts: { name: "tides", version: 1, visibility: "PRIVATE" },
  });
  await stream.delivers(does("setIntegrationDevMode", tunnel), {
    __typename: "IntegrationDevModeSet",
    facts: { name: "tides", all: false },
  });
  await stream.delivers(does("setIntegrationDevMode", tunnel)); // changes nothing
  await stream.delivers(does("rotateIntegrationSigningKey", {}), { __typename: "IntegrationSigningKeyRotated" });
  await stream.delivers(does("disableIntegrationDevMode", {}), { __typename: "IntegrationDevModeEnded" });
  await stream.delivers(does("disableIntegrationDevMode", {})); // as before
  await stream.delivers(does("deleteIntegration", {}), {
    __typename: "IntegrationDeleted",
    facts: { name: "tides" },
  });
  return stream.end(5);
}
