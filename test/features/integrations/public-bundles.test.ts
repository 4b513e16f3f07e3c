// Bundles with the public runtime and its client, as they are: published, installed and run by /v1 and GraphQL.
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { bundleOf } from "#test/features/integrations/bundles.ts";
import { settled } from "#test/features/integrations/runs.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

/** What scripts have sent to other servers. */
const sent: { readonly url: string; readonly body: string; readonly headers: Record<string, string> }[] = [];
const answers: Readonly<Record<string, object>> = {
  "https://chat.example.com/oauth/token": { access_token: "granted", expires_in: 60, team: { id: "T1" } },
  "https://recordings.example.com/oembed?id=tour": {
    title: "A tour",
    html: '<iframe src="https://recordings.example.com/e/tour">',
  },
};
const outside: SafeFetch = (url, options) => {
  const body = Buffer.from(options?.body ?? "").toString();
  sent.push({ url: String(url), body, headers: { ...options?.headers } });
  const answer = JSON.stringify(answers[String(url)] ?? {});
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body: Buffer.from(answer) });
};
const integrationsUrl = "http://integrations.example.net";
const { app, world } = await useApp({ fetch: outside, integrationsUrl, deliveryMs: 50 });

type Body = Record<string, unknown>;

/** Asks the host of public endpoints, which `fetch` would not name, and follows no redirect. */
const ask = (path: string) =>
  new Promise<{ status: number | undefined; location: string; text: string }>((resolve, reject) => {
    const { host } = new URL(integrationsUrl);
    request(app.url + path, { headers: { host } }, (response) => {
      const { location = "" } = response.headers;
      text(response).then((body) => resolve({ status: response.statusCode, location, text: body }), reject);
    })
      .on("error", reject)
      .end();
  });

/** A bundle that is published with a manifest and installed, on all spaces and sites of a new organization. */
async function installed(bundle: string, manifest: object = {}) {
  const scene = await world.space();
  const site = await world.insert((made) =>
    addSite(made, { organizationId: scene.organization.id, visibility: "visitor_auth" }),
  );
  const client = app.as(scene.admin.token);
  const name = `${bundle}-${nextNumber()}`;
  const organization = scene.organization.id;
  const given = { organization, title: bundle, description: "As it is", script: await bundleOf(bundle), runtime: "v1" };
  const published = await client.rest<Body>("POST", `/v1/integrations/${name}`, { body: { ...given, ...manifest } });
  expect([published.status, JSON.stringify(published.body)]).toEqual([200, expect.any(String)]);
  const { body } = await client.rest<{ id: string }>("POST", `/v1/integrations/${name}/installations`, {
    body: { organization },
  });
  const path = `/integrations/${name}/${body.id}`;
  const own = `/v1/integrations/${name}/installations/${body.id}`;
  const draw = async (componentId: string, given: object = {}) => {
    const { drawn } = await client.query<{ drawn: Body }>(
      `query ($name: String!, $componentId: String!, $props: JSON, $state: JSON, $action: JSON, $context: JSON!) {
        drawn: renderIntegrationBlock(integrationName: $name, componentId: $componentId, props: $props, state: $state,
          action: $action, context: $context) { type element props state returnValue } }`,
      { name, componentId, context: { spaceId: scene.space.id }, ...given },
    );
    return drawn;
  };
  return { ...scene, site, client, name, id: body.id, path, own, draw };
}

const writes = { scopes: ["space:content:read"] };

test("an OAuth handler saves credentials, and an event uses them", async () => {
  const configurations = {
    account: {
      properties: {
        oauth_credentials: { type: "button", title: "Account", button_text: "Connect", callback_url: "/oauth" },
        channel: { type: "string", title: "Channel", default: "general" },
      },
      required: ["oauth_credentials"],
    },
  };
  const secrets = { CLIENT_ID: "client", CLIENT_SECRET: "secret" };
  const { client, path, own, id, space, admin } = await installed("notify", { ...writes, configurations, secrets });
  const led = new URL((await ask(`${path}/oauth`)).location);
  expect([led.origin, led.searchParams.get("redirect_uri"), led.searchParams.get("scope")]).toEqual([
    "https://chat.example.com",
    `${integrationsUrl}${path}/oauth`,
    "chat:write channels:read",
  ]);
  const state = encodeURIComponent(led.searchParams.get("state") ?? "");
  const back = await ask(`${path}/oauth?code=abc&state=${state}`);
  expect([back.status, sent.at(-1)?.body.includes("code=abc")]).toEqual([200, true]);
  const credentials = { access_token: "granted", team: { id: "T1" } };
  const read = async () => (await client.rest<Body>("GET", own)).body;
  expect(await read()).toMatchObject({
    configuration: { channel: "general", oauth_credentials: credentials },
    externalIds: ["T1"],
  });
  const changed = await client.rest<Body>("PATCH", own, { body: { configuration: { channel: "docs" } } });
  expect(changed.body["configuration"]).toEqual({ channel: "docs", oauth_credentials: credentials }); // kept
  const refused = await client.rest<Body>("PATCH", own, { body: { configuration: { oauth_credentials: "mine" } } });
  expect(refused.status).toBe(400);
  await app.as(admin.token).rest("POST", `/v1/spaces/${space.id}/comments`, { body: { body: { markdown: "Hello" } } });
  await settledOf(id, "comment_created");
  expect(sent.at(-1)).toMatchObject({
    url: "https://chat.example.com/api/post",
    body: JSON.stringify({ channel: "docs", text: `New comment in ${space.title}` }),
    headers: { authorization: "Bearer granted" },
  });
  expect(JSON.parse((await ask(`${path}/channels/docs`)).text)).toEqual({ channel: "docs" });
  expect((await ask(`${path}/other`)).status).toBe(404);
});

/** Waits until an event of a type was delivered. */
async function settledOf(installationId: string, type: string) {
  const delivered = async () => (await settled(app, installationId)).filter((event) => event.type === type);
  await expect
    .poll(async () => (await delivered()).map(({ status }) => status), { timeout: 20_000 })
    .toContain("success");
}

test("a block keeps its state and properties, and ends by an action", async () => {
  const { draw } = await installed("counter", { blocks: [{ id: "counter", title: "Counter" }] });
  const first = await draw("counter", { props: { from: 3 } });
  expect(first).toMatchObject({ type: "element", state: { count: 3 }, props: { from: 3 } });
  const shown = JSON.stringify(first["element"]);
  expect(shown).toContain('"title":"Count: 3"');
  const added = await draw("counter", { props: { from: 3 }, state: { count: 3 }, action: { action: "add", by: 2 } });
  expect(added["state"]).toEqual({ count: 5 });
  const kept = await draw("counter", { props: { from: 3 }, state: { count: 5 }, action: { action: "keep" } });
  expect(kept).toMatchObject({ state: { count: 5 }, props: { from: 5 } });
  const ended = await draw("counter", { props: {}, state: { count: 5 }, action: { action: "end" } });
  expect(ended).toMatchObject({ type: "complete", returnValue: { count: 5 } });
});

test("a link is unfurled into a frame", async () => {
  const block = { id: "recording", title: "Recording", urlUnfurl: ["https://recordings.example.com/"] };
  const { client, space, name } = await installed("unfurl", { blocks: [block] });
  const { space: read } = await client.query<{ space: { unfurledLink: { element: object; props: object } } }>(
    `{ space(id: "${space.id}") { unfurledLink(url: "https://recordings.example.com/share/tour") { element props } } }`,
  );
  const { element, props } = read.unfurledLink;
  expect(props).toEqual({
    url: "https://recordings.example.com/share/tour",
    title: "A tour",
    source: "https://recordings.example.com/e/tour",
  });
  expect(JSON.stringify(element)).toContain("https://recordings.example.com/e/tour");
  expect(JSON.stringify(element)).toContain(name);
});

test("a component draws the settings, and saves those of the installation and of a space", async () => {
  const configurations = { account: { componentId: "settings" }, space: { componentId: "settings" } };
  const { draw, client, own, space } = await installed("settings", { ...writes, configurations });
  const first = await draw("settings", { props: { installation: { configuration: {} } } });
  expect(first).toMatchObject({ element: { type: "configuration" }, state: { domain: "" } });
  const saved = await draw("settings", { state: { domain: "example.com" }, action: { action: "save" } });
  expect(saved["state"]).toEqual({ domain: "example.com", isSaved: true });
  const settingsAt = async (path: string) => (await client.rest<Body>("GET", path)).body["configuration"];
  expect(await settingsAt(own)).toEqual({ domain: "example.com" });
  expect(await settingsAt(`${own}/spaces/${space.id}`)).toEqual({ seen: true });
});

test("visitors of a site are led to a provider, and their token is signed with the key of the site", async () => {
  const { path, site } = await installed("sign-in", { scopes: ["site:visitor:auth"], target: "site" });
  const at = `${path}/sites/${site.id}`;
  const led = new URL((await ask(`${at}/~sign-in?location=%2Fguide`)).location);
  expect([led.origin, led.searchParams.get("state")]).toEqual(["https://idp.example.com", `state-${site.id}/guide`]);
  expect((await ask(`${at}/visitor-auth/response`)).text).toBe('["siteInstallation"]');
});

test("events of a space are sent where its settings say, signed, after the answer", async () => {
  const properties = {
    url: { type: "string" },
    secret: { type: "string" },
    comments: { type: "boolean", default: false },
  };
  const { client, id, own, space } = await installed("webhook", {
    ...writes,
    configurations: { space: { properties } },
  });
  const before = sent.length;
  const comment = () => client.rest("POST", `/v1/spaces/${space.id}/comments`, { body: { body: { markdown: "Hi" } } });
  await comment();
  await settledOf(id, "comment_created");
  expect(sent.length).toBe(before);
  const configuration = { url: "https://hooks.example.com/in", secret: "s", comments: true };
  await client.rest("PATCH", `${own}/spaces/${space.id}`, { body: { configuration } });
  await comment();
  await expect.poll(() => sent.at(-1)?.url, { timeout: 20_000 }).toBe("https://hooks.example.com/in");
  const { body = "", headers } = sent.at(-1) ?? {};
  const { eventId } = JSON.parse(body) as { eventId: string };
  expect(headers?.["x-signature"]).toBe(createHmac("sha256", "s").update(`${eventId}.${body}`).digest("hex"));
});

test("a bundle of more than 800 kB answers", async () => {
  const { path } = await installed("large");
  const { status, text: answer } = await ask(`${path}/`);
  expect([status, answer]).toEqual([
    200,
    JSON.stringify({
      names: [true, true, true],
      title: "From a large bundle",
      tree: "heading",
      isClient: "function",
    }),
  ]);
});
