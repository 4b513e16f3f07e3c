// The integrations in the documentation can be published, installed and used, and do what it describes.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

const tides = { high: "12:25" };
const outside: SafeFetch = (url) =>
  Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body: Buffer.from(JSON.stringify(tides)) });
const page = await readFile(new URL("../../../src/docs/integrations.md", import.meta.url), "utf8");
const [checklist = "", block = ""] = [...page.matchAll(/^```js\n(.*?)^```/gms)]
  .map(([, text = ""]) => text)
  .filter((text) => text.startsWith("export async function handle"));

const { app, world } = await useApp({ fetch: outside, deliveryMs: 50, pollMs: 20 });

/** An organization with a space whose admin publishes a script and installs it. */
async function scene(name: string, published: object) {
  const made = await world.space();
  const client = app.as(made.admin.token);
  const send = async <Answer = { id: string }>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await client.rest(method, path, body && { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as Answer;
  };
  const organization = made.organization.id;
  await send("POST", `/v1/integrations/${name}`, { organization, title: name, ...published });
  const installation = await send("POST", `/v1/integrations/${name}/installations`, { organization });
  return { ...made, client, send, installation };
}

test("the first integration in the README adds a checklist to every change request that is opened", async () => {
  const text = { type: "string" };
  const { client, send, space, installation } = await scene("checklist", {
    script: checklist,
    scopes: ["space:content:write"],
    configurations: { account: { properties: { checklist: text }, required: [] } },
  });
  const configure = `mutation ($input: UpdateInstallationInput!) { updateInstallation(input: $input) { installation { status } } }`;
  const input = { installationId: installation.id, configuration: { checklist: "One, Two" } };
  expect((await client.graphql(configure, { input })).errors).toBeUndefined();
  const path = `/v1/spaces/${space.id}/change-requests`;
  const { id } = await send("POST", path, { subject: "Tides" });
  await send("PATCH", `${path}/${id}`, { status: "open" });
  const events = await settled(app, installation.id, Infinity, 5);
  expect(events.map(({ status, type }) => [status, type])).toContainEqual(["success", "change_request_opened"]);
  const { items } = await send<{ items: object[] }>("GET", `${path}/${id}/comments`);
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).toContain("- [ ] One\\n- [ ] Two");
  const delivered = await send<{ items: { status: string }[] }>("GET", "/v1/integrations/checklist/events");
  expect(new Set(delivered.items.map(({ status }) => status))).toEqual(new Set(["success"]));
});

test("the second integration in the README answers requests, and draws a block that counts", async () => {
  const { client, installation, space } = await scene("high-water", { script: block });
  const answer = await fetch(`${app.url}/integrations/high-water/${installation.id}/today`);
  expect([answer.status, await answer.json()]).toEqual([200, tides]);
  const query = `query ($state: JSON, $action: JSON) { renderIntegrationBlock(integrationName: "high-water", componentId: "tide",
    context: {spaceId: "${space.id}"}, state: $state, action: $action) { element state } }`;
  const draw = (variables: Readonly<Record<string, unknown>>) =>
    client.query<{ renderIntegrationBlock: { element: object; state: object } }>(query, variables);
  const { renderIntegrationBlock: first } = await draw({});
  expect(JSON.stringify(first)).toContain("High water at 12:25, seen 0 times");
  const { renderIntegrationBlock: second } = await draw({ state: first.state, action: { action: "see" } });
  expect(JSON.stringify(second)).toContain("High water at 12:25, seen 1 times");
});
