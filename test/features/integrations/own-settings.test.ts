// An installation in the API: it reads itself, its places and its site, and changes its own settings and nothing more.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addInstallation } from "#test/features/integrations/factory.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ deliveryMs: 50 });

const properties = { key: { type: "string" } };
const configurations = { account: { properties }, space: { properties }, site: { properties } };

/** A private integration on a space and a site, whose script runs these calls of /v1, each with a method and a path. */
async function calling(calls: string, scopes = ["site:metadata:read", "space:metadata:read"]) {
  const script = `export async function handle(event, { api, integration, installation }) {
    const at = "/v1/integrations/" + integration.name + "/installations";
    const own = at + "/" + installation.id;
    for (const [method, path, body] of (${calls})({ ...event, own, at })) {
      const answer = await api.rest(method, path, body);
      console.info(answer.status + " " + (answer.body?.error?.message ?? JSON.stringify(answer.body)));
    }
  }`;
  const integration = { configurations, scopes };
  const scene = await installed({ app, world }, { script, integration, installation: { configuration: { key: "a" } } });
  const { organization, installation } = scene;
  const made = await world.insert((rows) => {
    const site = addSite(rows, { organizationId: organization.id, visibility: "visitor_auth" });
    rows.add("IntegrationSite", {
      id: newId("IntegrationSite"),
      installationId: installation.id,
      siteId: site.id,
      status: "active",
    });
    return { site, unseen: addSite(rows, { organizationId: organization.id, visibility: "visitor_auth" }) };
  });
  const payload = { siteId: made.site.id, spaceId: scene.space.id, unseenId: made.unseen.id };
  const run = async (more: object = {}) => {
    await scene.enqueue({ payload: { ...payload, organizationId: organization.id, ...more } });
    const events = await settled(app, installation.id, Infinity, 1);
    return ((events.at(-1)?.logs ?? []) as { message: string }[]).map(({ message }) => message);
  };
  return { ...scene, ...made, run };
}

const statusOf = (line: string) => Number(line.slice(0, 3));
const bodyOf = (line = "") => JSON.parse(line.slice(4)) as Record<string, unknown>;

test("an installation reads itself, its integration and where it is installed", async () => {
  const { run, installation, space, site, integration } =
    await calling(`({ own, at, spaceId, siteId, organizationId, unseenId }) => [
    ["GET", own], ["GET", own + "/spaces/" + spaceId], ["GET", own + "/sites/" + siteId],
    ["GET", at.replace("/installations", "")], ["GET", at], ["GET", "/v1/orgs/" + organizationId + "/sites/" + siteId],
    ["GET", "/v1/orgs/" + organizationId + "/sites/" + unseenId],
  ]`);
  const lines = await run();
  expect(lines.map(statusOf)).toEqual([200, 200, 200, 200, 200, 200, 404]);
  const [own, onSpace, onSite, named, list, read] = lines.slice(0, 6).map(bodyOf);
  expect(own).toMatchObject({ id: installation.id, status: "active", configuration: { key: "a" } });
  expect(onSpace).toMatchObject({ installation: installation.id, space: space.id, configuration: {} });
  expect(onSite).toMatchObject({ installation: installation.id, site: site.id, configuration: {} });
  expect([named?.["name"], read?.["id"]]).toEqual([integration.name, site.id]);
  expect(list?.["items"]).toHaveLength(1);
});

test("a site is not seen without a scope for sites", async () => {
  const read = `({ organizationId, siteId }) => [["GET", "/v1/orgs/" + organizationId + "/sites/" + siteId]]`;
  const { run } = await calling(read, ["space:metadata:read"]);
  expect((await run()).map(statusOf)).toEqual([404]);
});

test("an installation changes its own configurations and external ids, and gets no event of it", async () => {
  const { run, installation } = await calling(`({ own, spaceId, siteId }) => [
    ["PATCH", own, { configuration: { key: "b" }, externalIds: ["team"] }],
    ["PATCH", own + "/spaces/" + spaceId, { configuration: { key: "c" } }],
    ["PATCH", own + "/sites/" + siteId, { configuration: { key: "d" } }],
    ["GET", own], ["PATCH", own, { configuration: { other: 1 } }],
  ]`);
  const lines = await run();
  expect(lines.map(statusOf)).toEqual([200, 200, 200, 200, 400]);
  expect(lines.slice(0, 4).map((one) => bodyOf(one)["configuration"])).toEqual([
    { key: "b" },
    { key: "c" },
    { key: "d" },
    { key: "b" },
  ]);
  expect(bodyOf(lines[3])["externalIds"]).toEqual(["team"]);
  expect((await settled(app, installation.id)).map(({ type }) => type)).toEqual(["comment_created"]);
});

test("an installation changes nothing that gives it rights, and no other installation", async () => {
  const { run, integration } = await calling(`({ own, at, otherId }) => [
    ["PATCH", own, { space_selection: "all" }], ["PATCH", own, { agreedVersion: 2 }], ["PATCH", own, { allowsDevMode: true }],
    ["GET", at + "/" + otherId], ["PATCH", at + "/" + otherId, { configuration: {} }],
    ["POST", at, { organization: "x" }],
  ]`);
  const other = await world.organization();
  const { id: otherId } = await world.insert((rows) =>
    addInstallation(rows, { integrationId: integration.id, organizationId: other.organization.id, integration }),
  );
  const lines = await run({ otherId });
  expect(lines.map(statusOf)).toEqual([403, 403, 403, 404, 404, 403]);
});

test("a component changes the settings by an action of an admin, and by that of nobody else", async () => {
  const script = `export async function handle(event, { api, integration, installation }) {
    const { status } = event.action ? await api.rest("PATCH", "/v1/integrations/" + integration.name + "/installations/" + installation.id,
      { configuration: { key: "saved" } }) : {};
    return { type: "element", element: { type: "block", children: [{ type: "text", children: [String(status)] }] } };
  }`;
  const { admin, space, integration, reader } = await installed(
    { app, world },
    { script, integration: { configurations } },
  );
  const draw = async (token: string, action: object | null) => {
    const { drawn } = await app.as(token).query<{ drawn: { element: unknown } }>(
      `query ($context: JSON!, $action: JSON) { drawn: renderIntegrationBlock(integrationName: "${integration.name}",
        componentId: "settings", context: $context, action: $action) { element } }`,
      { context: { spaceId: space.id }, action },
    );
    return JSON.stringify(drawn.element).replace(/.*\[\{.*\["(\w+)"\].*/, "$1");
  };
  expect(await draw(admin.token, { action: "save" })).toBe("200");
  expect(await draw(admin.token, null)).toBe("undefined");
  expect(await draw(reader.token, { action: "save" })).toBe("403");
});
