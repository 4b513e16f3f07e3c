// Events that wait after a failure: their traces say for what, and each change of how they run makes them due.
import { expect, test } from "vitest";
import { FetchError } from "#src/net/fetch-error.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

const fetch: SafeFetch = (url) =>
  String(url).includes("away")
    ? Promise.reject(new FetchError("connection"))
    : Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body: Buffer.from("{}") });
const now = new Date(); // fixed, so that no event is due by itself
// Has its own database: the clock decides which events of the whole database are due.
const { app, world } = await useApp({ own: true, fetch, deliveryMs: 50, clock: { now: () => now } });

const failing = "export function handle(event, { configuration }) { if (!configuration.works) throw new Error('no'); }";
const settings = { account: { properties: { works: { type: "boolean" } } }, space: {}, site: {} };

/** An integration whose first event has failed, and whose second one waits. */
async function waiting(tunnelUrl: string | null = null) {
  const integration = { configurations: settings, tunnelUrl, version: 2 };
  const scene = await installed({ app, world }, { script: failing, events: [{}, {}], integration });
  const { installation, integration: made, organization, admin } = scene;
  await settled(app, installation.id, 1);
  const client = app.as(admin.token);
  const name = made.name;
  const script = "export function handle() {}";
  return {
    ...scene,
    client,
    changes: {
      "a new version": () =>
        client.rest("POST", `/v1/integrations/${name}`, {
          body: { organization: organization.id, title: "Again", script, configurations: settings },
        }),
      "a tunnel": () =>
        client.rest("PUT", `/v1/integrations/${name}/dev`, { body: { tunnelUrl: "https://here.example.com" } }),
      "the end of a tunnel": () => client.rest("DELETE", `/v1/integrations/${name}/dev`),
      "another configuration": () =>
        client.rest("PATCH", `/v1/integrations/${name}/installations/${installation.id}`, {
          body: { configuration: { works: true } },
        }),
    },
  };
}

test("the trace of an event that waits says for what", async () => {
  const { client, events, integration } = await waiting();
  const traceOf = async (id: string) => {
    const { body } = await client.rest<{ trace: { logs: { message: string }[] } }>(
      "GET",
      `/v1/integrations/${integration.name}/events/${id}`,
    );
    return body.trace.logs.map(({ message }) => message);
  };
  const [first = { id: "" }, second = { id: "" }] = events;
  const at = new Date(now.getTime() + 5_000).toISOString();
  const failed = await traceOf(first.id);
  expect([failed.length, failed.at(-1)]).toEqual([2, `It waits for its next try, at ${at}.`]);
  expect(await traceOf(second.id)).toEqual([
    `It waits for the event ${first.id} (comment_created) before it, which is tried at ${at}.`,
  ]);
});

test.each(["a new version", "a tunnel", "the end of a tunnel", "another configuration"] as const)(
  "%s makes waiting events due at once",
  async (change) => {
    const scene = await waiting(change === "the end of a tunnel" ? "https://away.example.com" : null);
    if (change === "the end of a tunnel")
      await app.database.pool.query(
        `update "IntegrationInstallation" set configuration = '{"works":true}' where id = $1`,
        [scene.installation.id],
      );
    const { status, body } = await scene.changes[change]();
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    await expect
      .poll(async () => (await settled(app, scene.installation.id)).map((event) => event.status), { timeout: 20_000 })
      .toEqual(["success", "success"].concat(change === "another configuration" ? ["success"] : []));
  },
);
