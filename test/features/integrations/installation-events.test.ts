// Events about installations: the integration receives the previous row, users never receive the configuration.
import { expect, test } from "vitest";
import { configurations, useInstallations } from "#test/features/integrations/installing.ts";
import { listen } from "#test/live/kinds.ts";

const { app, scene } = await useInstallations();

const toIntegration = async (id: string) =>
  (await app.eventsOf(id)).filter(({ type }) => type.endsWith(".setUp")).map(({ payload }) => payload);

test("the integration receives each change of its status or configuration, with the previous values", async () => {
  const { install, does, newSpace, newSite, integration } = await scene({ configurations });
  const [spaceId, siteId] = [await newSpace(), await newSite()];
  const { id: installationId, spaces, sites } = await install();
  const update = (input: object) => does("updateInstallation", { installationId, ...input });
  const [first, second] = [
    { apiUrl: "a", tries: 3 },
    { apiUrl: "a", tries: 3, apiKey: "secret" },
  ];
  await update({ configuration: { apiUrl: "a" } });
  await update({ externalIds: ["x"] }); // does not concern it
  await update({ configuration: second });
  await does("pauseInstallation", { installationId });
  await does("resumeInstallation", { installationId });
  const ids = { integrationId: integration.id, installationId };
  expect(await toIntegration(installationId)).toEqual([
    { ...ids, status: "pending", previous: null },
    { ...ids, status: "active", previous: { status: "pending", configuration: { tries: 3 } } },
    { ...ids, status: "active", previous: { status: "active", configuration: first } },
    { ...ids, status: "paused", previous: { status: "active", configuration: second } },
    { ...ids, status: "active", previous: { status: "paused", configuration: second } },
  ]);
  const [onSpace, onSite] = [spaces.nodes[0]?.id ?? "", sites.nodes[0]?.id ?? ""];
  await does("updateIntegrationSpace", { integrationSpaceId: onSpace, configuration: { board: "b" } });
  expect(await toIntegration(onSpace)).toEqual([
    { ...ids, spaceId, status: "pending", previous: null },
    { ...ids, spaceId, status: "active", previous: { status: "pending", configuration: {} } },
  ]);
  expect(await toIntegration(onSite)).toEqual([{ ...ids, siteId, status: "active", previous: null }]);
});

test("subscription events and activity of an installation have no configuration", async () => {
  const { install, does, newSpace, admin, organizationId } = await scene({ configurations });
  const spaceId = await newSpace();
  const stream = await listen(app, admin, `spaceEvents(of: { spaceId: "${spaceId}" })`);
  const { id: installationId } = await stream.delivers(install({ spaceSelection: "SELECTED" }));
  const { integrationSpace } = await stream.delivers(
    does<{ integrationSpace: { id: string } }>(
      "installIntegrationOnSpace",
      { installationId, spaceId, configuration: { board: "secret" } },
      "integrationSpace { id }",
    ),
    { __typename: "IntegrationInstalledOnSpace", facts: { installationId, spaceId } },
  );
  const integrationSpaceId = integrationSpace.id;
  const changes = [
    { field: "status", before: "ACTIVE", after: "PENDING" },
    { field: "configuration", before: ["board"], after: [] },
  ];
  await stream.delivers(does("updateIntegrationSpace", { integrationSpaceId, configuration: {} }), {
    __typename: "IntegrationSpaceSettingsChanged",
    facts: { integrationSpaceId, changes },
  });
  await stream.delivers(does("uninstallIntegrationFromSpace", { integrationSpaceId }), {
    __typename: "IntegrationUninstalledFromSpace",
    facts: { integrationSpaceId },
  });
  await stream.end(3);
  const document = `{ organization(id: "${organizationId}") { activity(first: 50) { nodes { kind
    ... on IntegrationSpaceSettingsChanged { changes { field before after } } } } } }`;
  const activity = JSON.stringify(await app.as(admin.token).query(document));
  expect(activity).toContain("INTEGRATION_SPACE_SETTINGS_CHANGED");
  expect(activity).not.toContain("secret");
});
